// Paired differences from the baseline, over all worlds and in each.

function isDecided(row) {
  return row.verdict === "more" || row.verdict === "less";
}

function comparedWords(data, policy, world, row) {
  const p = known(row.p_adjusted) ? `, adjusted p ${number(row.p_adjusted, 2)}` : "";
  return [
    data.policies[policy].label,
    world,
    `difference ${number(row.difference)}${row.points ? " percentage points" : ""}${between(row.low, row.high)}`,
    `${row.verdict}${p}`,
  ];
}

function differences(host, data, shared) {
  const places = new Map(data.policies.map((policy, i) => [policy.label, i]));
  if (!data.overall.length && !data.differences.verdict.some(Boolean)) {
    host.append(make("p", {}, "Nothing is compared: there is one policy."));
    return;
  }
  host.append(
    make(
      "p",
      { class: "soft" },
      "Mean paired differences with their 95\u00a0% intervals. Filled marks: decided after correction; hollow: not decided.",
    ),
  );
  const controls = make("div", { class: "controls" });
  const grid = make("div", { class: "figures" });
  const where = data.worlds.length > 1 ? "all worlds" : data.worlds[0];
  const overall = data.overall.filter((row) => places.has(row.policy));
  let charts = [];
  const redraw = () => charts.forEach((each) => each.redraw());
  const renew = () => {
    grid.replaceChildren();
    charts = overall.length ? [overallRows(grid, data, shared, overall, places, where)] : [];
    if (data.worlds.length > 1 || axis.numeric())
      charts.push(axis.numeric() ? differenceLines(grid, data, shared, axis) : differenceRows(grid, data, shared));
  };
  const axis = axisOf(data, controls, renew, redraw);
  host.append(controls);
  legend(host, data, shared);
  host.append(grid);
  renew();
  shared.listeners.push(redraw);
}

function overallRows(host, data, shared, overall, places, where) {
  const unit = overall[0].points ? ", in percentage points" : "";
  const rows = () =>
    overall
      .filter((row) => !shared.hidden.has(places.get(row.policy)))
      .map((row) => {
        const policy = places.get(row.policy);
        const seen = known(row.detectable) ? [`could have seen ${number(row.detectable, 3)}`] : [];
        const words = [...comparedWords(data, policy, where, row), ...seen];
        return {
          label: row.policy,
          policy,
          mid: row.difference,
          low: row.low,
          high: row.high,
          hollow: !isDecided(row),
          note: row.verdict,
          words,
        };
      });
  const numbers = () => ({
    head: ["policy", `difference${unit}`, "from", "to", "relative, %", "adjusted p", "could have seen", "verdict"],
    rows: overall.map((row) => [
      row.policy,
      row.difference,
      row.low,
      row.high,
      known(row.relative) ? 100 * row.relative : null,
      row.p_adjusted,
      row.detectable,
      row.verdict,
    ]),
  });
  return rowChart(host, data, {
    title: `In ${where}`,
    rows,
    numbers,
    zero: true,
    xLabel: () => `difference from ${data.baseline}${unit}`,
  });
}

function rowAt(data, pair) {
  return Object.fromEntries(Object.entries(data.differences).map(([key, values]) => [key, values[pair]]));
}

function differenceLines(host, data, shared, axis) {
  const series = () => {
    return axis
      .curves(shared.hidden)
      .filter(({ pairs }) => pairs.some((pair) => known(data.differences.difference[pair])))
      .map(({ policy, label, xs, pairs }) => {
        const rows = pairs.map((pair) => rowAt(data, pair));
        const column = (name) => rows.map((row) => row[name]);
        const words = (i) => comparedWords(data, policy, `${axis.view().key} ${number(xs[i])}`, rows[i]).slice(1);
        return {
          policy,
          label,
          xs,
          ys: column("difference"),
          lows: column("low"),
          highs: column("high"),
          hollow: rows.map((row) => !isDecided(row)),
          words,
        };
      });
  };
  const labels = {
    xLabel: () => axis.view().key,
    yLabel: () => `difference from ${data.baseline}`,
    log: () => axis.view().log,
    whole: () => axis.view().whole,
  };
  const title = axis.view().lines.length ? "In one world" : "In each world";
  return lineChart(host, data, { title, series, zero: true, ...labels });
}

function differenceRows(host, data, shared) {
  const others = () => visible(data, shared).filter((policy) => data.policies[policy].label !== data.baseline);
  const rows = () =>
    data.worlds.flatMap((world, w) => [
      { label: world },
      ...others().map((policy) => {
        const row = rowAt(data, w * data.policies.length + policy);
        return {
          label: rowName(data, policy),
          policy,
          mid: row.difference,
          low: row.low,
          high: row.high,
          hollow: !isDecided(row),
          words: comparedWords(data, policy, world, row),
        };
      }),
    ]);
  const numbers = () => ({
    head: ["world", "policy", "difference", "from", "to", "verdict"],
    rows: data.worlds.flatMap((world, w) =>
      others().map((policy) => {
        const row = rowAt(data, w * data.policies.length + policy);
        return [world, data.policies[policy].label, row.difference, row.low, row.high, row.verdict];
      }),
    ),
  });
  return rowChart(host, data, {
    title: "In each world",
    apart: data.apart.differences,
    rows,
    numbers,
    zero: true,
    xLabel: () => `difference from ${data.baseline}`,
  });
}
