// Reward, reward per play and plays: lines against the swept number, or rows by world.

const EARNED = [
  // title, mean with its interval, median with its quartiles
  ["Reward", ["reward", "reward_low", "reward_high"], ["median", "lower_quartile", "upper_quartile"]],
  ["Reward per play", ["reward_per_play"], ["per_play_median", "per_play_lower", "per_play_upper"]],
  ["Plays", ["plays"], ["plays_median", "plays_lower", "plays_upper"]],
];
const SHOWN = ["median and quartiles", "mean (of reward: 95\u00a0% interval)"];

function earned(host, data, shared) {
  const [controls, more] = [make("div", { class: "controls" }), make("div", { class: "controls" })];
  const grid = make("div", { class: "figures" });
  let charts = [];
  let shown = 0;
  const redraw = () => charts.forEach((each) => each.redraw());
  const renew = () => {
    grid.replaceChildren();
    charts = EARNED.map(([title, means, medians]) => {
      const columns = () => (shown ? means : medians);
      return axis.numeric()
        ? earnedLines(grid, data, shared, axis, title, columns)
        : earnedRows(grid, data, shared, title, columns);
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
  legend(host, data, shared, data.bound.some(known));
  host.append(grid);
  renew();
  shared.listeners.push(redraw);
}

function earnedLines(host, data, shared, axis, title, columns) {
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
    const limits = ends.map((_, i) => data.bound[worlds[values.length ? i : 0]]);
    if (title === "Reward" && limits.some(known)) {
      found.push({
        policy: null,
        xs: ends,
        ys: limits,
        words: (i) => [`${axis.view().key} ${number(ends[i])}`, `no policy can expect more than ${number(limits[i])}`],
      });
    }
    return found;
  };
  return lineChart(host, data, {
    title,
    series,
    xLabel: () => axis.view().key,
    yLabel: () => title.toLowerCase(),
    log: () => axis.view().log,
  });
}

function earnedRows(host, data, shared, title, columns) {
  const value = (w, policy, i) => (columns()[i] ? data.summary[columns()[i]][w * data.policies.length + policy] : null);
  const rows = () =>
    data.worlds.flatMap((world, w) => [
      ...(data.worlds.length > 1 ? [{ label: world }] : []),
      ...visible(data, shared).map((policy) => {
        const [mid, low, high] = [0, 1, 2].map((i) => value(w, policy, i));
        const name = data.policies[policy].label;
        const words = [name, world, `${title.toLowerCase()} ${number(mid)}${between(low, high)}`];
        const limit = title === "Reward" ? data.bound[w] : null;
        if (known(limit)) words.push(`certified bound ${number(limit)}`);
        return { label: rowName(data, policy), policy, mid, low, high, words, limit };
      }),
    ]);
  const numbers = () => ({
    head: ["world", "policy", title.toLowerCase(), "from", "to"],
    rows: data.worlds.flatMap((world, w) =>
      data.policies.map((policy, p) => [world, policy.label, ...[0, 1, 2].map((i) => value(w, p, i))]),
    ),
  });
  const apart = data.apart[title.toLowerCase().replaceAll(" ", "_")];
  return rowChart(host, data, { title, rows, numbers, apart, xLabel: () => title.toLowerCase() });
}
