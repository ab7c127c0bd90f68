// What was earned: lines against the swept number, or rows by world, for each of `data.measures`.

const SHOWN = ["median and quartiles", "mean (of totals: 95\u00a0% interval)"];
const IDLE = "doing nothing";

function earned(host, data, shared) {
  const [controls, more] = [make("div", { class: "controls" }), make("div", { class: "controls" })];
  const grid = make("div", { class: "figures" });
  let charts = [];
  let shown = 0;
  const redraw = () => charts.forEach((each) => each.redraw());
  const renew = () => {
    grid.replaceChildren();
    charts = data.measures.map((measure) => {
      const columns = () => (shown ? measure.means : measure.medians);
      return axis.numeric()
        ? earnedLines(grid, data, shared, axis, measure, columns)
        : earnedRows(grid, data, shared, measure, columns);
    });
  };
  const axis = axisOf(data, controls, renew, redraw);
  more.append(
    choose("show", SHOWN, shown, (value) => {
      shown = value;
      redraw();
    }),
  );
  host.append(make("div", { class: "controls" }, more, controls));
  const has = (key) => data.measures.some((measure) => measure[key].some(known));
  const lines = [
    ["bound", "certified bound"],
    ["bound idle", IDLE],
  ];
  legend(
    host,
    data,
    shared,
    lines.filter((_, i) => has(["bound", "idle"][i])),
  );
  host.append(grid);
  renew();
  shared.listeners.push(redraw);
}

function earnedLines(host, data, shared, axis, measure, columns) {
  const { title } = measure;
  const series = () => {
    const { worlds, values } = axis.group();
    const found = axis.curves(shared.hidden).map(({ policy, label, xs, pairs }) => {
      const [ys, lows, highs] = [0, 1, 2].map((i) => valuesAt(data.summary, columns()[i], pairs));
      const words = (i) => [
        `${axis.view().key} ${number(xs[i])}`,
        `${title.toLowerCase()} ${number(ys[i])}${between(lows?.[i], highs?.[i])}`,
      ];
      return { policy, label, xs, ys, lows, highs, words };
    });
    // Along a parameter of policies there is one world, and its bound from end to end.
    const ends = values.length ? values : extent(found.flatMap((each) => each.xs)).filter(known);
    const limit = (numbers, words, more) => {
      const ys = ends.map((_, i) => numbers[worlds[values.length ? i : 0]]);
      const told = (i) => [`${axis.view().key} ${number(ends[i])}`, `${words} ${number(ys[i])}`];
      if (ys.some(known)) found.push({ policy: null, xs: ends, ys, words: told, ...more });
    };
    limit(measure.bound, "no policy can expect more than", {});
    limit(measure.idle, "this brings", { label: IDLE, look: "bound idle" });
    return found;
  };
  return lineChart(host, data, {
    title,
    series,
    xLabel: () => axis.view().key,
    yLabel: () => title.toLowerCase(),
    log: () => axis.view().log,
    whole: () => axis.view().whole,
  });
}

function earnedRows(host, data, shared, measure, columns) {
  const { title } = measure;
  const value = (w, policy, i) => (columns()[i] ? data.summary[columns()[i]][w * data.policies.length + policy] : null);
  const rows = () =>
    data.worlds.flatMap((world, w) => [
      ...(data.worlds.length > 1 ? [{ label: world }] : []),
      ...visible(data, shared).map((policy) => {
        const [mid, low, high] = [0, 1, 2].map((i) => value(w, policy, i));
        const name = data.policies[policy].label;
        const words = [name, world, `${title.toLowerCase()} ${number(mid)}${between(low, high)}`];
        const [limit, idle] = [measure.bound[w], measure.idle[w]];
        if (known(limit)) words.push(`certified bound ${number(limit)}`);
        if (known(idle)) words.push(`${IDLE} brings ${number(idle)}`);
        return { label: rowName(data, policy), policy, mid, low, high, words, limit, idle };
      }),
    ]);
  const numbers = () => ({
    head: ["world", "policy", title.toLowerCase(), "from", "to"],
    rows: data.worlds.flatMap((world, w) =>
      data.policies.map((policy, p) => [world, policy.label, ...[0, 1, 2].map((i) => value(w, p, i))]),
    ),
  });
  const apart = data.apart[measure.name];
  return rowChart(host, data, { title, rows, numbers, apart, xLabel: () => title.toLowerCase() });
}
