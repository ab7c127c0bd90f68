// A figure: title, picture that is drawn anew at every width, cursor by pointer and arrow keys, and its numbers.

const HINT = "Arrow keys move from point to point.";

function chart(host, options) {
  const svg = shape("svg", { tabindex: 0, role: "application", "aria-roledescription": "chart" });
  const tip = make("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const live = make("p", { class: "live", "aria-live": "polite" });
  const canvas = make("div", { class: "canvas" }, svg, tip);
  const title = make("figcaption", {}, options.title);
  host.append(make("figure", { class: "card" }, title, canvas, live, numbersOf(options)));
  const state = { points: [], at: null, width: 0, svg, tip, live, canvas, options };
  const redraw = () => drawChart(state);
  listen(state);
  new ResizeObserver(() => {
    if (canvas.clientWidth !== state.width) redraw();
  }).observe(canvas);
  redraw();
  return {
    redraw,
    rename(words) {
      title.textContent = words;
    },
  };
}

function drawChart(state) {
  const { svg, canvas, options } = state;
  state.width = canvas.clientWidth;
  svg.replaceChildren();
  const { height, points } = options.draw(svg, Math.max(240, state.width));
  svg.setAttribute("viewBox", `0 0 ${Math.max(240, state.width)} ${height}`);
  svg.setAttribute("height", height);
  svg.setAttribute("aria-label", `${options.title}. ${options.label()} ${HINT}`);
  state.points = points;
  state.ring = shape("circle", { r: 8, class: "ring", visibility: "hidden" });
  svg.append(state.ring);
  hide(state);
}

function show(state, point, spoken) {
  const { tip, ring, canvas } = state;
  state.at = point;
  ring.setAttribute("cx", point.x);
  ring.setAttribute("cy", point.y);
  ring.setAttribute("visibility", "visible");
  tip.replaceChildren(...point.text.map((line, i) => make(i ? "div" : "strong", {}, line)));
  tip.hidden = false;
  const left = point.x + 14 + tip.offsetWidth <= canvas.clientWidth ? point.x + 14 : point.x - 14 - tip.offsetWidth;
  tip.style.left = `${Math.max(0, Math.min(left, canvas.clientWidth - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, point.y - tip.offsetHeight - 12)}px`;
  if (spoken) state.live.textContent = point.text.join(", ");
}

function hide(state) {
  state.at = null;
  state.tip.hidden = true;
  if (state.ring) state.ring.setAttribute("visibility", "hidden");
}

function listen(state) {
  const { svg } = state;
  const follow = (event) => {
    const box = svg.getBoundingClientRect();
    const near = nearest(state, event.clientX - box.left, event.clientY - box.top);
    if (near) show(state, near, false);
    else hide(state);
  };
  svg.addEventListener("pointermove", follow);
  svg.addEventListener("pointerdown", follow);
  svg.addEventListener("pointerleave", () => hide(state));
  svg.addEventListener("blur", () => hide(state));
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide(state);
    const next = event.altKey || event.ctrlKey || event.metaKey ? null : moved(state, event.key);
    if (!next) return;
    event.preventDefault();
    show(state, next, true);
  });
}

function nearest(state, x, y) {
  const flat = state.options.nearest === "x";
  let [best, least] = [null, flat ? 30 : 60];
  for (const point of state.points) {
    const far = flat ? Math.abs(point.x - x) : Math.hypot(point.x - x, point.y - y);
    if (far < least) [best, least] = [point, far];
  }
  return best;
}

// Left and right go along a row of points, up and down to the next row, as they lie in the picture.
function moved(state, key) {
  const { points, at } = state;
  if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key) || !points.length) return null;
  if (!at) return points[0];
  const along = points.filter((each) => each.row === at.row);
  const place = along.indexOf(at);
  if (key === "ArrowLeft") return along[Math.max(0, place - 1)];
  if (key === "ArrowRight") return along[Math.min(along.length - 1, place + 1)];
  if (key === "Home") return along[0];
  if (key === "End") return along[along.length - 1];
  const across = points.filter((each) => each.col === at.col).sort((one, other) => one.y - other.y);
  const step = key === "ArrowUp" ? -1 : 1;
  return across[Math.min(across.length - 1, Math.max(0, across.indexOf(at) + step))];
}

// The numbers of a figure as a table, made when it is opened, and as a file.
function numbersOf(options) {
  const inner = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `numbers: ${options.title}` });
  const button = make("button", { type: "button" }, "Download CSV");
  const details = make("details", { class: "numbers" }, make("summary", {}, "Numbers"), button, inner);
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    const { head, rows } = options.numbers();
    const cells = (tag, row) =>
      make("tr", {}, ...row.map((each) => make(tag, {}, typeof each === "number" ? number(each, 6) : (each ?? ""))));
    inner.replaceChildren(
      make(
        "table",
        {},
        make("thead", {}, cells("th", head)),
        make("tbody", {}, ...rows.slice(0, 2000).map((row) => cells("td", row))),
      ),
    );
  });
  button.addEventListener("click", () => download(options.title, options.numbers()));
  return details;
}

function download(title, { head, rows }) {
  const quoted = (cell) =>
    /[",\n\r]/.test(String(cell ?? "")) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? "");
  const content = [head, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
  const address = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  make("a", { href: address, download: `${name || "figure"}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Buttons that show and hide policies in every figure of the page; those of pale ones are folded away.
// `lines` are of no policy: [class, words].
function legend(host, data, shared, lines = []) {
  const buttons = data.policies.map((policy, i) => {
    const button = make("button", { type: "button", class: "key" }, swatch(data, i), policy.label);
    button.addEventListener("click", () => {
      if (!shared.hidden.delete(i)) shared.hidden.add(i);
      shared.tell();
    });
    return button;
  });
  const set = (words, hide) => {
    const button = make("button", { type: "button", class: "key" }, words);
    button.addEventListener("click", () => {
      data.policies.forEach((_, i) => (hide ? shared.hidden.add(i) : shared.hidden.delete(i)));
      shared.tell();
    });
    return button;
  };
  const sync = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(!shared.hidden.has(i))));
  shared.listeners.push(sync);
  sync();
  const notes = lines.map(([look, words]) => {
    const line = shape("path", { d: "M0,7L30,7", class: look });
    return make("span", { class: "key" }, shape("svg", { width: 30, height: 14, "aria-hidden": "true" }, line), words);
  });
  host.append(
    make(
      "div",
      { class: "legend", role: "group", "aria-label": "policies shown" },
      ...buttons.filter((_, i) => !data.policies[i].pale),
      ...(buttons.length > 3 ? [set("all", false), set("none", true)] : []),
      ...notes,
      ...folded(buttons.filter((_, i) => data.policies[i].pale)),
    ),
  );
}

function folded(buttons) {
  if (!buttons.length) return [];
  const inner = make("div", { class: "legend" }, ...buttons);
  return [make("details", { class: "more" }, make("summary", {}, `${buttons.length} more, in grey`), inner)];
}

function swatch(data, policy) {
  const style = { stroke: colourOf(policy), strokeDasharray: dashesOf(data, policy) };
  const line = shape("path", { d: "M0,7L30,7", class: "line", style });
  return shape("svg", { width: 30, height: 14, "aria-hidden": "true" }, line, mark(data, policy, 15, 7));
}

function choose(words, options, value, change) {
  const list = make("select", {}, ...options.map((each, i) => make("option", { value: i }, each)));
  list.value = String(value);
  list.addEventListener("change", () => change(Number(list.value)));
  return make("label", { class: "choose" }, words, list);
}
