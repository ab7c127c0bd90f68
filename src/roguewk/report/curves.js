// Wear and recovery, a picture for each arm, and when arms work again.

function curves(host, data) {
  const grid = make("div", { class: "figures" });
  host.append(grid);
  // The same heights in all pictures, so that arms can be compared.
  const within = data.curves.flatMap((curve) => [...curve.low, ...curve.high]);
  for (const curve of data.curves) {
    const last = curve.time[data.uses - 1];
    const words = (i) => {
      const rest = `${number(curve.time[i] - last, 3)} ${data.unit} after use ${data.uses}`;
      const what = i < data.uses ? `use ${i + 1}` : rest;
      const [mean, low, high] = [curve.mean[i], curve.low[i], curve.high[i]].map((value) => number(value, 3));
      return [what, `mean reward ${mean} (${low} to ${high})`];
    };
    const series = {
      policy: curve.arm,
      xs: curve.time,
      ys: curve.mean,
      lows: curve.low,
      highs: curve.high,
      marked: (i) => i < data.uses,
      words,
    };
    const spacing = `every ${curve.gap === 1 ? data.unit.replace(/s$/, "") : `${number(curve.gap, 3)} ${data.unit}`}`;
    lineChart(grid, data, {
      title: `${data.policies[curve.arm].label}: ${data.many} uses, ${spacing}, then rest`,
      series: () => [series],
      within,
      xLabel: () => `${data.unit} since the first use`,
      yLabel: () => "mean reward of a use",
      log: () => false,
    });
  }
  if (!data.curves.length) host.append(make("p", {}, "The log does not tell how any of the arms wears."));
}

function worksAgain(host, data) {
  if (!data.again.length) {
    host.append(make("p", {}, "No arm is seen to wear off and recover."));
    return;
  }
  const ends = data.again.flatMap(({ one, many }) => [one, many]).flatMap(({ value, low, high }) => [value, low, high]);
  const farthest = 1.1 * extent(ends)[1]; // where an open end is drawn to
  const rowsOf = (which, heading) => [
    { label: heading },
    ...data.again.map((each) => {
      const { value, low, high, words } = each[which];
      const label = data.policies[each.arm].label;
      const spoken = [label, heading, `${words} ${data.unit}`];
      return { label, policy: each.arm, mid: value, low, high: high ?? farthest, note: words, words: spoken };
    }),
  ];
  const headings = { one: "after one use", many: `after ${data.many} uses in a row` };
  rowChart(host, data, {
    title: "Time until arms work again",
    rows: () => Object.entries(headings).flatMap(([which, heading]) => rowsOf(which, heading)),
    numbers: () => ({
      head: ["arm", "after", data.unit, "from", "to"],
      rows: Object.entries(headings).flatMap(([which, heading]) =>
        data.again.map((each) => {
          const { value, low, high } = each[which];
          return [data.policies[each.arm].label, heading, value, low, high];
        }),
      ),
    }),
    zero: true,
    xLabel: () => `${data.unit} since the last use`,
  });
}
