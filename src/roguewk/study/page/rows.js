// Rows: a dot and an interval for each, or a histogram with quartiles, beside the names of what they show.

// rows(): [{label, policy, mid, low, high, hollow, note, words, counts, edges, box, limit}]; a row without policy is a heading.
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
  return { beside, left, right, heights: rows.map(height) };
}

function drawRows(svg, width, data, options) {
  const rows = options.rows();
  const { beside, left, right, heights } = layOut(rows, width);
  const domain = domainOf(
    rows.flatMap((row) => [row.mid, row.low, row.high, row.limit, ...(row.edges ?? [])]),
    options.zero,
  );
  const x = scale(domain, [left, width - right]);
  const bottom = 8 + heights.reduce((sum, each) => sum + each, 0);
  for (const tick of ticks(...domain, Math.max(3, Math.floor((width - left - right) / 60)))) {
    svg.append(
      shape("path", {
        d: path([
          [x(tick), 4],
          [x(tick), bottom],
        ]),
        class: tick === 0 && options.zero ? "zero" : "rule",
      }),
    );
    const words = number(tick, 6);
    const place = Math.min(Math.max(x(tick), widthOf(words) / 2), width - widthOf(words) / 2 - 1);
    svg.append(text(words, place, bottom + 15, { "text-anchor": "middle" }));
  }
  svg.append(text(fit(options.xLabel(), width - 10), width - 6, bottom + 34, { class: "axis", "text-anchor": "end" }));
  const points = [];
  let top = 4;
  rows.forEach((row, i) => {
    if (row.policy === undefined) svg.append(text(fit(row.label, width - 6), 2, top + 18, { class: "heading over" }));
    else {
      const point = oneRow(svg, data, row, x, { top, height: heights[i], width, beside });
      if (point) points.push({ ...point, row: i, col: 0 });
    }
    top += heights[i];
  });
  return { height: bottom + 42, points };
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
  if (known(row.limit))
    svg.append(
      shape("path", {
        d: path([
          [x(row.limit), y - reach],
          [x(row.limit), y + reach],
        ]),
        class: "bound",
      }),
    );
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
