// Heat maps: real tables whose cells are coloured, so that numbers are readable at any width.

const METRICS = {
  share: [
    "share",
    (value) => (known(value) ? number(Math.round(100 * value)) : ""),
    "per cent",
  ],
  effect: ["mean effect", (value) => (known(value) ? number(value, 3) : ""), "mean effect"],
  effect_per_play: ["effect per play", (value) => (known(value) ? number(value, 2) : ""), "effect per play"],
  reward: ["mean reward", (value) => (known(value) ? number(value, 3) : ""), "mean reward"],
  reward_per_play: ["reward per play", (value) => (known(value) ? number(value, 2) : ""), "reward per play"],
  plays: ["plays", (value) => (known(value) ? number(value, 3) : ""), "plays"],
};

function heatMap(host, data) {
  const metrics = Object.keys(METRICS).filter((name) => data.summary[name]?.some(known));
  const chosen = { layout: 0, grid: 0, metric: 0 };
  const box = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "heat map" });
  const caption = make("figcaption");
  const tip = make(
    "p",
    { class: "readout", "aria-live": "polite" },
    "Point at a cell, or press arrow keys in it, for its exact number.",
  );
  const layout = () => data.layouts[chosen.layout];
  const redraw = () => drawHeat(data, box, caption, tip, layout(), layout().grids[chosen.grid], metrics[chosen.metric]);
  const set = (key) => (value) => {
    chosen[key] = value;
    redraw();
  };
  const which = make("span", { class: "controls" });
  const relaid = (value) => {
    [chosen.layout, chosen.grid] = [value, 0];
    const labels = layout().grids.map((grid) => grid.label);
    which.replaceChildren(...(labels.length > 1 ? [choose("of", labels, 0, set("grid"))] : []));
    redraw();
  };
  const layouts = data.layouts.map((each) => each.label);
  const named = metrics.map((name) => METRICS[name][0] + ofBound(data, name));
  host.append(
    make(
      "div",
      { class: "controls" },
      ...(layouts.length > 1 ? [choose("layout", layouts, 0, relaid)] : []),
      which,
      choose("colour shows", named, 0, set("metric")),
    ),
    make("figure", { class: "card" }, caption, box, tip),
  );
  relaid(0);
}

function ofBound(data, metric) {
  return metric === "share" ? ` of ${data.bound_words}` : "";
}

function drawHeat(data, box, caption, tip, layout, grid, metric) {
  const format = METRICS[metric][1];
  const [title, long] = [0, 2].map((i) => METRICS[metric][i] + ofBound(data, metric));
  const unit = long.replace(" certified", "");
  const exact = metric === "share" ? percent : number;
  const valuesOf = (each) =>
    each.cells.map((row) => row.map((pair) => (pair === null ? null : data.summary[metric][pair])));
  const values = valuesOf(grid);
  // Worlds of unlike scales would all but one have the same colour; others can be compared from map to map.
  const apart = Boolean(data.apart[metric]);
  const within = apart && layout.by_world;
  const whole = colourLimits((apart ? [grid] : layout.grids).flatMap(valuesOf).flat(), metric === "share");
  const column = (j) => values.map((row) => row[j]);
  const limits = grid.columns.map((_, j) => (within ? colourLimits(column(j), false) : whole));
  const shade = (value, [low, high]) =>
    data.shades[Math.round(((data.shades.length - 1) * (value - low)) / (high - low))];
  const named = [`${unit[0].toUpperCase()}${unit.slice(1)}: ${layout.label}`, grid.label].filter(Boolean).join(", ");
  caption.textContent = `${named}. ${within ? "Colours are within each column. " : ""}Empty: not played.`;
  const corner = make("th", { scope: "col" }, `${grid.row_title} \\ ${grid.column_title}`);
  const head = make("tr", {}, corner, ...grid.columns.map((each) => make("th", { scope: "col" }, each)));
  const lines = grid.rows.map((name, i) => {
    const place = (j) =>
      `${grid.row_title === "policy" ? name : `${grid.row_title} ${name}`}, ${grid.column_title} ${grid.columns[j]}`;
    const cells = values[i].map((value, j) => {
      const colour = known(value) ? shade(value, limits[j]) : null;
      return heatCell(value, format, colour, tip, `${place(j)}: ${title} ${exact(value)}`);
    });
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
