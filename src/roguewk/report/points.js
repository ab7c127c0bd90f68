// Groups of pulls: what they brought on average with its interval, beside a line of what was expected of them.

// groups(): {place, first, last, pulls, observed, low, high, expected}, column by column; policy() has the line's look.
// With `left`, what came less what was expected; with `diagonal`, expectations lie along the axis.
function pointChart(host, data, options) {
  return chart(host, {
    title: options.title,
    draw: (svg, width) => drawGroups(svg, width, data, options),
    label: () => `Means of ${options.groups().place.length} groups of pulls against ${options.xLabel()}.`,
    numbers: () => {
      const { place, first, last, pulls, observed, low, high, expected } = options.groups();
      return {
        head: [options.xLabel(), "from", "to", "pulls", "observed", "95\u00a0% from", "to", "expected"],
        rows: place.map((each, i) => [each, first[i], last[i], pulls[i], observed[i], low[i], high[i], expected[i]]),
      };
    },
  });
}

function drawGroups(svg, width, data, options) {
  const groups = options.groups();
  const height = Math.round(Math.min(340, Math.max(240, 0.62 * width)));
  const shift = (value, i) => (options.left ? value - groups.expected[i] : value);
  const [ys, lows, highs] = [groups.observed, groups.low, groups.high].map((column) => column.map(shift));
  const expected = groups.expected.map(shift);
  const wide = groups.first[0] > 0 && groups.last[groups.last.length - 1] > 60 * groups.first[0];
  const { x, y } = axes(svg, width, height, {
    xs: groups.place,
    ys: [...ys, ...lows, ...highs, ...expected],
    log: () => wide && !options.diagonal,
    zero: options.left,
    ...options,
  });
  if (!options.left) {
    const style = { stroke: colourOf(options.policy()) };
    const places = groups.place.map((each, i) => [x(each), y(expected[i])]);
    if (places.length === 1) places.push([places[0][0] + 12, places[0][1]]);
    svg.append(shape("path", { d: path(places), class: "line", style, "data-expected": true }));
  }
  const points = ys.map((value, i) => {
    const place = x(groups.place[i]);
    const span = path([
      [place, y(lows[i])],
      [place, y(highs[i])],
    ]);
    svg.append(
      shape("path", { d: span, class: "observed" }),
      shape("circle", { cx: place.toFixed(1), cy: y(value).toFixed(1), r: 4, class: "observed" }),
    );
    return { x: place, y: y(value), row: 0, col: i, text: groupWords(groups, i, options) };
  });
  return { height, points };
}

function groupWords(groups, i, options) {
  const [first, last] = [number(groups.first[i], 3), number(groups.last[i], 3)];
  return [
    `${options.xLabel()} ${first === last ? first : `${first} to ${last}`}`,
    `observed ${number(groups.observed[i], 3)} (${number(groups.low[i], 3)} to ${number(groups.high[i], 3)})`,
    `expected ${number(groups.expected[i], 3)}`,
    `${groups.pulls[i]} pulls`,
  ];
}

// What marks and line stand for.
function groupKeys(host, policy, line = "expected by the model") {
  const drawing = (...inner) => shape("svg", { width: 30, height: 14, "aria-hidden": "true" }, ...inner);
  const dot = drawing(
    shape("path", { d: "M15,0L15,14", class: "observed" }),
    shape("circle", { cx: 15, cy: 7, r: 4, class: "observed" }),
  );
  const style = { stroke: colourOf(policy) };
  const stroke = drawing(shape("path", { d: "M0,7L30,7", class: "line", style }));
  host.replaceChildren(
    make("span", { class: "key" }, dot, "observed, with 95\u00a0% interval"),
    make("span", { class: "key" }, stroke, line),
  );
}
