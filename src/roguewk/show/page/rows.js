// Rows: a dot and an interval for each, or a histogram with quartiles, beside the names of what they show.

// With `apart`, the rows under each heading have an axis of their own.
// rows(): [{label, policy, mid, low, high, hollow, note, words, counts, edges, box, limit, idle}]; a row without policy is a heading.
function rowChart(host, data, options) {
  return chart(host, {
    title: options.title,
    draw: (svg, width) => drawRows(svg, width, data, options),
    label: () => `${options.rows().filter((row) => row.policy !== undefined).length} rows of ${options.xLabel()}.`,
    numbers: () => options.numbers(),
  });
}

// Names stand to the left where there is room, else above.
function layOut(rows, width) {
  const own = rows.filter((row) => row.policy !== undefined);
  const longest = Math.max(0, ...own.map((row) => widthOf(row.label)));
  const beside = longest <= 0.42 * width;
  const left = beside && longest ? longest + 14 : 8;
  const right = Math.max(0, ...own.map((row) => widthOf(row.note ?? ""))) + 14;
  const height = (row) =>
    row.policy === undefined ? 26 : (row.label && !beside ? 18 : 0) + (row.counts ? 48 : row.label ? 24 : 16);
  return { beside, left, right, height };
}

// The name beside a row: of a world among several, its colour says whose it is, unless it is pale.
function rowName(data, policy) {
  return data.worlds.length > 1 && !data.policies[policy].pale ? "" : data.policies[policy].label;
}

function drawRows(svg, width, data, options) {
  const rows = options.rows();
  const layout = { ...layOut(rows, width), width };
  const points = [];
  let top = 4;
  for (const block of options.apart ? blocksOf(rows) : [rows]) {
    points.push(...drawBlock(svg, data, options, layout, block, top));
    top += block.reduce((sum, row) => sum + layout.height(row), 0) + TICKS;
  }
  const words = (options.apart ? "each world in its own scale: " : "") + options.xLabel();
  svg.append(text(fit(words, width - 10), width - 6, top + 16, { class: "axis", "text-anchor": "end" }));
  return { height: top + 24, points: points.map((point, row) => ({ ...point, row, col: 0 })) };
}

const TICKS = 22; // pixels for the numbers under an axis

// The rows under each heading.
function blocksOf(rows) {
  const blocks = [];
  for (const row of rows) {
    if (row.policy === undefined || !blocks.length) blocks.push([]);
    blocks[blocks.length - 1].push(row);
  }
  return blocks;
}

// Rows on an axis of their own; the points in them.
function drawBlock(svg, data, options, { left, right, width, beside, height }, rows, start) {
  const domain = domainOf(
    rows.flatMap((row) => [row.mid, row.low, row.high, row.limit, row.idle, ...(row.edges ?? [])]),
    options.zero,
  );
  const x = scale(domain, [left + 8, width - right - 8]);
  const bottom = start + 4 + rows.reduce((sum, row) => sum + height(row), 0);
  const over = options.apart ? start + height(rows[0]) : start;
  for (const tick of spacedTicks(domain, width - left - right)) {
    svg.append(
      shape("path", {
        d: path([
          [x(tick), over],
          [x(tick), bottom],
        ]),
        class: tick === 0 && options.zero ? "zero" : "rule",
      }),
    );
    const words = number(tick, EXACT);
    const place = Math.min(Math.max(x(tick), widthOf(words) / 2), width - widthOf(words) / 2 - 1);
    svg.append(text(words, place, bottom + 15, { "text-anchor": "middle" }));
  }
  const points = [];
  let top = start;
  for (const row of rows) {
    if (row.policy === undefined)
      svg.append(text(fit(row.label, width - 6, 600), 2, top + 18, { class: "heading over" }));
    else points.push(oneRow(svg, data, row, x, { top, height: height(row), width, beside }));
    top += height(row);
  }
  return points.filter(Boolean);
}

function oneRow(svg, data, row, x, { top, height, width, beside }) {
  const base = top + height - (row.counts ? 14 : row.label ? 11 : 8); // of the histogram; the interval is at or below it
  const y = row.counts ? base + 6 : base;
  const line = beside ? y + 4 - (row.counts ? 10 : 0) : top + 13;
  if (row.label) svg.append(text(fit(row.label, width - 6), 2, line, { class: "over" }));
  if (row.note) svg.append(text(row.note, width - 4, y + 4, { "text-anchor": "end", class: "soft" }));
  if (!known(row.mid)) return null;
  if (row.counts) histogram(svg, row, x, base);
  const reach = row.label ? 12 : 8;
  for (const [place, look] of [
    [row.limit, "bound"],
    [row.idle, "bound idle"],
  ]) {
    if (!known(place)) continue;
    const ends = [y - reach, y + reach].map((height) => [x(place), height]);
    svg.append(shape("path", { d: path(ends), class: look }));
  }
  const style = { stroke: colourOf(row.policy) };
  if (known(row.low))
    svg.append(
      shape("path", {
        d: path([
          [x(row.low), y],
          [x(row.high), y],
        ]),
        class: "span",
        style,
      }),
    );
  if (row.box)
    svg.append(
      shape("path", {
        d: path([
          [x(row.box[0]), y],
          [x(row.box[1]), y],
        ]),
        class: "box",
        style,
      }),
    );
  svg.append(mark(data, row.policy, x(row.mid), y, row.counts ? 4.6 : 4.2, row.hollow));
  return { x: x(row.mid), y, text: row.words };
}

function histogram(svg, row, x, base) {
  const most = Math.max(...row.counts, 1);
  const step = (row.edges[1] - row.edges[0]) / row.counts.length;
  const outline = [[x(row.edges[0]), base]];
  row.counts.forEach((count, i) => {
    const high = base - (30 * count) / most;
    outline.push([x(row.edges[0] + i * step), high], [x(row.edges[0] + (i + 1) * step), high]);
  });
  outline.push([x(row.edges[1]), base]);
  svg.append(shape("path", { d: `${path(outline)}Z`, class: "histogram", style: { fill: colourOf(row.policy) } }));
}
