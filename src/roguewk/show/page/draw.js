// Elements, numbers for people, scales, and the marks of policies. Text from the study only ever becomes text nodes.

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") Object.assign(element.style, value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function known(value) {
  return value !== null && value !== undefined && Number.isFinite(value);
}

// So many digits, but never fewer than a whole number has.
function number(value, digits = 5) {
  if (!known(value)) return "none";
  const rounded = Math.abs(value) >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
  return String(rounded).replaceAll("-", "−");
}

function percent(value, digits = 4) {
  return known(value) ? `${number(100 * value, digits)}\u00a0%` : "none";
}

const EXACT = 12; // digits of a tick, which has no more: rounding it could make two alike

// With `whole`, at whole numbers only.
function ticks(low, high, count, whole = false) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = power * [1, 2, 2.5, 5, 10].find((each) => each * power >= rough * 0.999);
  const step = whole && !Number.isInteger(nice) ? Math.max(1, 2 * nice) : nice;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1)
    found.push(Number((i * step).toPrecision(EXACT)));
  return found;
}

// As many ticks as have room for their numbers side by side.
function spacedTicks(domain, room) {
  const found = ticks(...domain, Math.max(3, Math.floor(room / 60)));
  const wide = 16 + Math.max(0, ...found.map((tick) => widthOf(number(tick, EXACT))));
  return wide > 60 ? ticks(...domain, Math.floor(room / wide)) : found;
}

function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const each of [1, 2, 5]) {
      const tick = Number((each * 10 ** power).toPrecision(EXACT));
      if (tick >= low && tick <= high) found.push(tick);
    }
  }
  return found;
}

// From numbers to places in pixels; with `log` on a logarithmic axis.
function scale(domain, range, log = false) {
  const turn = log ? Math.log : (value) => value;
  const [low, high] = domain.map(turn);
  const span = high - low || 1;
  return (value) => range[0] + ((turn(value) - low) / span) * (range[1] - range[0]);
}

// Lowest and highest of however many values.
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (known(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return [low, high];
}

// A little more than all the values; from zero when told, or (null: never) when that costs less than half of the room.
function domainOf(values, zero = false) {
  let [low, high] = extent(values);
  if (low > high) return [0, 1];
  if (zero || (zero !== null && low > 0 && low < high / 2)) low = Math.min(low, 0);
  if (zero) high = Math.max(high, 0);
  if (low === high) [low, high] = [low - (Math.abs(low) / 10 || 1), high + (Math.abs(high) / 10 || 1)];
  const room = 0.04 * (high - low);
  return [low === 0 ? 0 : low - room, high + room];
}

function polygon(corners, radius, turn = 0, inner = radius) {
  const steps = inner === radius ? corners : 2 * corners;
  const places = Array.from({ length: steps }, (_, i) => {
    const angle = turn - Math.PI / 2 + (2 * Math.PI * i) / steps;
    const far = i % 2 && inner !== radius ? inner : radius;
    return `${(far * Math.cos(angle)).toFixed(2)},${(far * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${places.join("L")}Z`;
}

function cross(r, turned) {
  const corners = [
    [1, 3],
    [1, 1],
    [3, 1],
    [3, -1],
    [1, -1],
    [1, -3],
    [-1, -3],
    [-1, -1],
    [-3, -1],
    [-3, 1],
    [-1, 1],
    [-1, 3],
  ];
  const [c, s] = turned ? [Math.SQRT1_2, Math.SQRT1_2] : [1, 0];
  return `M${corners.map(([x, y]) => `${((c * x - s * y) * r) / 3},${((s * x + c * y) * r) / 3}`).join("L")}Z`;
}

const MARKS = {
  o: (r) => `M${-r},0a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`,
  s: (r) => polygon(4, 1.25 * r, Math.PI / 4),
  "^": (r) => polygon(3, 1.25 * r),
  ">": (r) => polygon(3, 1.25 * r, Math.PI / 2),
  v: (r) => polygon(3, 1.25 * r, Math.PI),
  "<": (r) => polygon(3, 1.25 * r, -Math.PI / 2),
  D: (r) => polygon(4, 1.25 * r),
  d: (r) => `M0,${-1.4 * r}L${0.8 * r},0L0,${1.4 * r}L${-0.8 * r},0Z`,
  P: (r) => cross(1.2 * r, false),
  X: (r) => cross(1.2 * r, true),
  "*": (r) => polygon(5, 1.45 * r, 0, 0.6 * r),
  p: (r) => polygon(5, 1.2 * r),
  h: (r) => polygon(6, 1.2 * r),
};

function colourOf(policy) {
  return `var(--p${policy})`;
}

// The outline of a marker, which is a name or a list of corners.
function outline(marker, radius) {
  if (!Array.isArray(marker)) return MARKS[marker](radius);
  return `M${marker.map(([x, y]) => `${x * radius},${-y * radius}`).join("L")}Z`;
}

// The mark of a policy; hollow where something is not decided.
function mark(data, policy, x, y, radius = 4, hollow = false) {
  const style = { stroke: colourOf(policy), fill: hollow ? "var(--card)" : colourOf(policy) };
  return shape("path", {
    d: outline(data.policies[policy].marker, radius),
    transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
    class: "mark",
    style,
  });
}

function dashesOf(data, policy) {
  return data.policies[policy].dashes.join(" ") || "none";
}

function path(places) {
  let pen = "M";
  let text = "";
  for (const [x, y] of places) {
    if (known(x) && known(y)) {
      text += `${pen}${x.toFixed(1)},${y.toFixed(1)}`;
      pen = "L";
    } else pen = "M";
  }
  return text || "M0,0";
}

function text(content, x, y, attributes = {}) {
  return shape("text", { x: x.toFixed(1), y: y.toFixed(1), ...attributes }, content);
}

const ruler = document.createElement("canvas").getContext("2d");
const letters = getComputedStyle(document.body).fontFamily;

// How wide words are in the letters of a chart.
function widthOf(words, weight = 400) {
  ruler.font = `${weight} 12px ${letters}`;
  return ruler.measureText(words).width;
}

// As much of the words as a width holds.
function fit(words, width, weight = 400) {
  if (widthOf(words, weight) <= width) return words;
  const kept = [...words];
  while (kept.length > 3 && widthOf(`${kept.join("")}…`, weight) > width) kept.pop();
  return `${kept.join("")}…`;
}
