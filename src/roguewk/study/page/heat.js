// Heat maps: real tables whose cells are coloured, so that numbers are readable at any width.

const METRICS = {
  share: [
    "share of the certified bound",
    (value) => (known(value) ? number(Math.round(100 * value)) : ""),
    "per cent of the bound",
  ],
  reward: ["mean reward", (value) => (known(value) ? number(value, 3) : ""), "mean reward"],
  reward_per_play: ["reward per play", (value) => (known(value) ? number(value, 2) : ""), "reward per play"],
  plays: ["plays", (value) => (known(value) ? number(value, 3) : ""), "plays"],
};

function heatMap(host, data) {
  const metrics = Object.keys(METRICS).filter((name) => data.summary[name].some(known));
  const chosen = { grid: 0, metric: 0 };
  const box = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "heat map" });
  const caption = make("figcaption");
  const tip = make(
    "p",
    { class: "readout", "aria-live": "polite" },
    "Point at a cell, or press arrow keys in it, for its exact number.",
  );
  const redraw = () => drawHeat(data, box, caption, tip, data.grids[chosen.grid], metrics[chosen.metric]);
  const set = (key) => (value) => {
    chosen[key] = value;
    redraw();
  };
  const controls = [
    choose(
      "colour shows",
      metrics.map((name) => METRICS[name][0]),
      0,
      set("metric"),
    ),
  ];
  if (data.grids.length > 1)
    controls.unshift(
      choose(
        "layout",
        data.grids.map((grid) => grid.label),
        0,
        set("grid"),
      ),
    );
  host.append(make("div", { class: "controls" }, ...controls), make("figure", { class: "card" }, caption, box, tip));
  redraw();
}

function drawHeat(data, box, caption, tip, grid, metric) {
  const [title, format, unit] = METRICS[metric];
  const average = (pairs) => {
    const seen = pairs.map((pair) => data.summary[metric][pair]).filter(known);
    return seen.length ? seen.reduce((sum, each) => sum + each, 0) / seen.length : null;
  };
  const values = grid.cells.map((row) => row.map(average));
  const [low, high] = colourLimits(values.flat(), metric === "share");
  const shade = (value) => data.shades[Math.round(((data.shades.length - 1) * (value - low)) / (high - low))];
  const several = grid.cells.some((row) => row.some((pairs) => pairs.length > 1));
  caption.textContent = `${unit[0].toUpperCase()}${unit.slice(1)}: ${grid.label}${several ? ", averaged over the rest" : ""}. Empty: not played.`;
  const corner = make("th", { scope: "col" }, `${grid.row_title} \\ ${grid.column_title}`);
  const head = make("tr", {}, corner, ...grid.columns.map((each) => make("th", { scope: "col" }, each)));
  const lines = grid.rows.map((name, i) => {
    const cells = values[i].map((value, j) =>
      heatCell(
        value,
        format,
        known(value) ? shade(value) : null,
        tip,
        `${name}, ${grid.column_title} ${grid.columns[j]}: ${title} ${number(value)}`,
      ),
    );
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  box.replaceChildren(make("table", { class: "heat" }, make("thead", {}, head), make("tbody", {}, ...lines)));
  roving(box);
}

// The values of the first and the last colour: all values, but at least a tenth apart, so that equal digits look alike.
function colourLimits(values, share) {
  const [low, high] = extent(values);
  if (low > high) return [0, 1];
  const least = share ? 0.1 : 0.1 * Math.max(Math.abs(low), Math.abs(high), 1e-9);
  const lack = Math.max(0, least - (high - low));
  return [low - lack / 2, high + lack / 2];
}

function heatCell(value, format, colour, tip, words) {
  const cell = make("td", { tabindex: -1 }, format(value));
  if (colour) {
    cell.style.background = colour;
    cell.style.color = dark(colour) ? "#ffffff" : "#000000";
    cell.dataset.value = value;
  }
  const tell = () => {
    tip.textContent = words;
  };
  cell.addEventListener("pointerenter", tell);
  cell.addEventListener("focus", tell);
  return cell;
}

function dark(colour) {
  const [r, g, b] = [1, 3, 5].map((i) => (parseInt(colour.slice(i, i + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.18;
}

// One cell can be reached with the tabulator; arrow keys go from there.
function roving(box) {
  const rows = [...box.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")]);
  if (rows[0]?.[0]) rows[0][0].tabIndex = 0;
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  box.onkeydown = (event) => {
    const i = rows.findIndex((row) => row.includes(event.target));
    const step = steps[event.key];
    if (i < 0 || !step) return;
    event.preventDefault();
    const next = rows[i + step[0]]?.[rows[i].indexOf(event.target) + step[1]];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
}
