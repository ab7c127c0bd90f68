// Checks of the model as a whole: calibration, what is left over the trial, subjects, and simulated logs.

function checks(host, data) {
  const all = data.policies.length - 1;
  const grid = make("div", { class: "figures" });
  const keys = make("div", { class: "legend" });
  groupKeys(keys, all);
  host.append(keys, grid);
  const common = { policy: () => all };
  pointChart(grid, data, {
    ...common,
    title: "Calibration",
    groups: () => data.calibration,
    diagonal: true,
    xLabel: () => "expected reward",
    yLabel: () => "mean reward",
    zero: null,
  });
  pointChart(grid, data, {
    ...common,
    title: "What is left over the trial",
    groups: () => data.trend,
    left: true,
    xLabel: () => `${data.unit} since the subject's first round`,
    yLabel: () => "mean reward less expected",
  });
  const scores = data.sums.counts.reduce((sum, each) => sum + each, 0);
  if (scores > 1)
    barChart(grid, data, {
      title: "Subjects' rewards less expected",
      bars: data.sums,
      line: "if the model is right",
      xLabel: () => "sum of a subject, in standard deviations",
    });
  if (data.levels)
    barChart(grid, data, {
      title: "Subjects' own levels, as estimated",
      bars: data.levels,
      line: "population",
      xLabel: () => `level less that of the average subject (${data.level})`,
    });
}

function simulated(host, data) {
  const rows = () =>
    data.places.map((place) => ({
      label: place.what,
      policy: place.arm,
      mid: place.at,
      low: -1,
      high: 1,
      hollow: !place.strange,
      note: place.strange ? "outside" : place.near ? "just inside" : "",
      words: [
        place.what,
        `real ${number(place.real, 4)}`,
        `simulated ${number(place.middle, 4)} (${number(place.low, 4)} to ${number(place.high, 4)})`,
        `${percent(place.share, 3)} of simulated logs are below`,
      ],
    }));
  rowChart(host, data, {
    title: "The real log among simulated ones: lines hold 95\u00a0% of them",
    rows,
    numbers: () => ({
      head: ["what", "real", "simulated", "from", "to", "share below"],
      rows: data.places.map(({ what, real, middle, low, high, share }) => [what, real, middle, low, high, share]),
    }),
    zero: true,
    xLabel: () => "less or more than the median of simulated logs",
  });
}
