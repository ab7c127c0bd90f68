// A histogram, with the line that a normal distribution would make.

// bars: {counts, edges: [low, high], normal}
function barChart(host, data, options) {
  return chart(host, {
    title: options.title,
    draw: (svg, width) => drawBars(svg, width, data, options),
    label: () => `Histogram of ${options.xLabel()}.`,
    numbers: () => ({
      head: ["from", "to", "subjects", options.line],
      rows: options.bars.counts.map((count, i) => [...edgesOf(options.bars, i), count, options.bars.normal[i]]),
    }),
  });
}

function edgesOf({ counts, edges }, i) {
  const step = (edges[1] - edges[0]) / counts.length;
  return [edges[0] + step * i, edges[0] + step * (i + 1)];
}

function drawBars(svg, width, data, options) {
  const { counts, edges, normal } = options.bars;
  const height = Math.round(Math.min(340, Math.max(240, 0.62 * width)));
  const { x, y } = axes(svg, width, height, {
    xs: edges,
    ys: [0, ...counts, ...normal],
    zero: true,
    log: () => false,
    yLabel: () => "subjects",
    xLabel: options.xLabel,
  });
  const all = data.policies.length - 1;
  const points = counts.map((count, i) => {
    const [low, high] = edgesOf(options.bars, i);
    const [left, right] = [x(low), x(high)];
    const box = { x: left + 0.5, y: y(count), width: Math.max(1, right - left - 1), height: y(0) - y(count) };
    if (count) svg.append(shape("rect", { ...box, class: "histogram", style: { fill: colourOf(all) } }));
    const expected = `${options.line}: ${number(normal[i], 3)}`;
    const text = [`${number(low, 3)} to ${number(high, 3)}`, `${count} subjects`, expected];
    return { x: (left + right) / 2, y: y(count), row: 0, col: i, text };
  });
  const places = normal.map((each, i) => [points[i].x, y(each)]);
  svg.append(shape("path", { d: path(places), class: "bound" }));
  return { height, points };
}
