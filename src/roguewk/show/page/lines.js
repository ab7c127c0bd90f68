// Lines against a number: a line, a band and marks for each policy.

// series(): [{policy, label, xs, ys, lows, highs, hollow, marked, words}]; policy null is the certified bound, or `label`.
// `within` are values that the axis has room for, whatever the series.
function lineChart(host, data, options) {
  return chart(host, {
    title: options.title,
    draw: (svg, width) => drawLines(svg, width, data, options),
    label: () => `Lines of ${options.series().length} series against ${options.xLabel()}.`,
    numbers: () => ({
      head: ["series", options.xLabel(), options.yLabel(), "from", "to"],
      rows: options
        .series()
        .flatMap((each) => each.xs.map((x, i) => [nameOf(data, each), x, each.ys[i], each.lows?.[i], each.highs?.[i]])),
    }),
  });
}

function nameOf(data, series) {
  return series.label ?? (series.policy === null ? "certified bound" : data.policies[series.policy].label);
}

function drawLines(svg, width, data, options) {
  const all = options.series();
  const height = Math.round(Math.min(340, Math.max(240, 0.62 * width)));
  const frame = axes(svg, width, height, {
    xs: all.flatMap((each) => each.xs),
    ys: all.flatMap((each) => [...each.ys, ...(each.lows ?? []), ...(each.highs ?? [])]).concat(options.within ?? []),
    ...options,
  });
  const points = [];
  const pale = (each) => each.policy !== null && data.policies[each.policy].pale;
  for (const each of all) if (each.lows && !pale(each)) svg.append(band(each, frame));
  for (const behind of [true, false])
    all.forEach((each, row) => pale(each) === behind && points.push(...oneLine(svg, data, each, row, frame, behind)));
  return { height, points };
}

function axes(svg, width, height, { xs, ys, xLabel, yLabel, log, zero, whole = () => false, format = number }) {
  const yDomain = domainOf(ys, zero);
  const yTicks = ticks(...yDomain, 6);
  const left = 10 + Math.max(...yTicks.map((tick) => widthOf(format(tick, EXACT))));
  const bottom = height - 40;
  const [low, high] = extent(xs);
  const xDomain = low === high ? [low - 1, high + 1] : [low, high];
  const x = scale(xDomain, [left + 8, width - 14], log() && low > 0);
  const y = scale(yDomain, [bottom, 26]);
  for (const tick of yTicks) {
    svg.append(
      shape("path", {
        d: path([
          [left, y(tick)],
          [width - 6, y(tick)],
        ]),
        class: tick === 0 ? "zero" : "rule",
      }),
    );
    svg.append(text(format(tick, EXACT), left - 5, y(tick) + 4, { "text-anchor": "end" }));
  }
  const all = log() && low > 0 ? logTicks(...xDomain) : ticks(...xDomain, Math.max(2, Math.floor(width / 65)), whole());
  const xTicks = all.length > 1 ? all : [...new Set(xs)];
  let edge = -Infinity;
  for (const tick of xTicks) {
    const words = number(tick, EXACT);
    const start = x(tick) - widthOf(words) / 2;
    if (start < edge + 6) continue;
    edge = start + widthOf(words);
    svg.append(
      shape("path", {
        d: path([
          [x(tick), bottom],
          [x(tick), bottom + 4],
        ]),
        class: "rule",
      }),
    );
    svg.append(
      text(words, Math.min(x(tick), width - widthOf(words) / 2 - 1), bottom + 17, { "text-anchor": "middle" }),
    );
  }
  svg.append(
    text(fit(yLabel(), width - 6), 2, 13, { class: "axis" }),
    text(fit(xLabel(), width - 10), width - 6, height - 6, { class: "axis", "text-anchor": "end" }),
  );
  return { x, y };
}

function band(series, { x, y }) {
  const there = series.xs.map((_, i) => i).filter((i) => known(series.lows[i]) && known(series.highs[i]));
  const over = there.map((i) => [x(series.xs[i]), y(series.highs[i])]);
  const under = there.map((i) => [x(series.xs[i]), y(series.lows[i])]).reverse();
  return shape("path", { d: `${path([...over, ...under])}Z`, class: "band", style: { fill: colourOf(series.policy) } });
}

function oneLine(svg, data, series, row, { x, y }, pale) {
  const places = series.xs.map((each, i) => [x(each), known(series.ys[i]) ? y(series.ys[i]) : NaN]);
  if (series.policy === null) svg.append(shape("path", { d: path(places), class: series.look ?? "bound" }));
  else {
    const style = { stroke: colourOf(series.policy), strokeDasharray: dashesOf(data, series.policy) };
    svg.append(
      shape("path", { d: path(places), class: pale ? "line pale" : "line", style, "data-policy": series.policy }),
    );
  }
  const every = Math.max(1, Math.ceil(places.length / 16));
  const points = [];
  places.forEach(([px, py], i) => {
    if (!known(py)) return;
    // Of many points only some have a mark, at places that differ between policies unless it is said which.
    const marked = series.marked ? series.marked(i) : (i + row) % every === 0;
    if (series.policy !== null && !pale && marked)
      svg.append(mark(data, series.policy, px, py, 3.6, series.hollow?.[i]));
    points.push({ x: px, y: py, row, col: i, text: [nameOf(data, series), ...series.words(i)] });
  });
  return points;
}
