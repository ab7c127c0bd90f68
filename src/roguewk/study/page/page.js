// The sections of the page, from its data.

const EARNED = [
  // title, mean with its interval, median with its quartiles
  ["Reward", ["reward", "reward_low", "reward_high"], ["median", "lower_quartile", "upper_quartile"]],
  ["Reward per play", ["reward_per_play"], ["per_play_median", "per_play_lower", "per_play_upper"]],
  ["Plays", ["plays"], ["plays_median", "plays_lower", "plays_upper"]],
];
const SHOWN = ["median and quartiles", "mean (of reward: 95\u00a0% interval)"];

function placeOf(name) {
  return document.querySelector(`#${name} .place`);
}

// Which worlds lie along the axis now, and the controls that choose them; `renewed` follows a change of the axis.
function axisOf(data, controls, renewed, redraw) {
  const chosen = { view: 0, group: 0 };
  const view = () => data.views[chosen.view];
  const names = [...data.views.map((each) => each.key), "none: a row for each world"];
  const renew = () => {
    const made = [];
    if (data.views.length) {
      made.push(choose("along the axis", names, chosen.view, (value) => {
        [chosen.view, chosen.group] = [value, 0];
        renew();
        renewed();
        controls.querySelector("select").focus();
      }));
    }
    if (view() && view().groups.length > 1) {
      made.push(choose("with", view().groups.map((each) => each.label), chosen.group, (value) => {
        chosen.group = value;
        redraw();
      }));
    }
    const without = view() ? data.worlds.length - view().groups.reduce((sum, each) => sum + each.worlds.length, 0) : 0;
    if (without) made.push(make("span", { class: "soft" }, `Worlds without ${view().key}, not shown along this axis: ${without}.`));
    controls.replaceChildren(...made);
  };
  renew();
  return { view, group: () => view().groups[chosen.group], numeric: () => Boolean(view()) };
}

function visible(data, shared) {
  return data.policies.map((_, i) => i).filter((i) => !shared.hidden.has(i));
}

function valuesAt(data, frame, column, worlds, policy) {
  return column ? worlds.map((w) => frame[column][w * data.policies.length + policy]) : null;
}

function between(low, high) {
  return known(low) ? ` (${number(low)} to ${number(high)})` : "";
}

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
      return axis.numeric() ? earnedLines(grid, data, shared, axis, title, columns) : earnedRows(grid, data, shared, title, columns);
    });
  };
  const axis = axisOf(data, controls, renew, redraw);
  more.append(choose("show", SHOWN, shown, (value) => {
    shown = value;
    redraw();
  }));
  host.append(make("div", { class: "controls" }, more, controls));
  legend(host, data, shared, data.bound.some(known));
  host.append(grid);
  renew();
  shared.listeners.push(redraw);
}

function earnedLines(host, data, shared, axis, title, columns) {
  const series = () => {
    const { worlds, values } = axis.group();
    const found = visible(data, shared).map((policy) => {
      const [ys, lows, highs] = [0, 1, 2].map((i) => valuesAt(data, data.summary, columns()[i], worlds, policy));
      const words = (i) => [`${axis.view().key} ${number(values[i])}`, `${title.toLowerCase()} ${number(ys[i])}${between(lows?.[i], highs?.[i])}`];
      return { policy, xs: values, ys, lows, highs, words };
    });
    const limits = worlds.map((w) => data.bound[w]);
    if (title === "Reward" && limits.some(known)) {
      found.push({ policy: null, xs: values, ys: limits, words: (i) => [`${axis.view().key} ${number(values[i])}`, `no policy can expect more than ${number(limits[i])}`] });
    }
    return found;
  };
  return lineChart(host, data, { title, series, xLabel: () => axis.view().key, yLabel: () => title.toLowerCase(), log: () => axis.view().log });
}

function earnedRows(host, data, shared, title, columns) {
  const value = (w, policy, i) => (columns()[i] ? data.summary[columns()[i]][w * data.policies.length + policy] : null);
  const rows = () => data.worlds.flatMap((world, w) => [
    ...(data.worlds.length > 1 ? [{ label: world }] : []),
    ...visible(data, shared).map((policy) => {
      const [mid, low, high] = [0, 1, 2].map((i) => value(w, policy, i));
      const name = data.policies[policy].label;
      const words = [name, world, `${title.toLowerCase()} ${number(mid)}${between(low, high)}`];
      const limit = title === "Reward" ? data.bound[w] : null;
      if (known(limit)) words.push(`certified bound ${number(limit)}`);
      return { label: data.worlds.length > 1 ? "" : name, policy, mid, low, high, words, limit };
    }),
  ]);
  const numbers = () => ({
    head: ["world", "policy", title.toLowerCase(), "from", "to"],
    rows: data.worlds.flatMap((world, w) => data.policies.map((policy, p) => [world, policy.label, ...[0, 1, 2].map((i) => value(w, p, i))])),
  });
  return rowChart(host, data, { title, rows, numbers, xLabel: () => title.toLowerCase() });
}

function comparedWords(data, policy, world, row) {
  const p = known(row.p_adjusted) ? `, adjusted p ${number(row.p_adjusted, 2)}` : "";
  return [data.policies[policy].label, world, `difference ${number(row.difference)}${between(row.low, row.high)}`, `${row.verdict}${p}`];
}

function differences(host, data, shared) {
  const places = new Map(data.policies.map((policy, i) => [policy.label, i]));
  if (!data.overall.length && !data.differences.verdict.some(Boolean)) {
    host.append(make("p", {}, "Nothing is compared: there is one policy."));
    return;
  }
  host.append(make("p", { class: "soft" }, "Mean paired differences of rewards with their 95\u00a0% intervals. Filled marks: decided after correction; hollow: undecided."));
  const controls = make("div", { class: "controls" });
  const grid = make("div", { class: "figures" });
  const where = data.worlds.length > 1 ? "all worlds" : data.worlds[0];
  const overall = data.overall.filter((row) => places.has(row.policy));
  let charts = [];
  const redraw = () => charts.forEach((each) => each.redraw());
  const renew = () => {
    grid.replaceChildren();
    charts = overall.length ? [overallRows(grid, data, shared, overall, places, where)] : [];
    if (data.worlds.length > 1) charts.push(axis.numeric() ? differenceLines(grid, data, shared, axis) : differenceRows(grid, data, shared));
  };
  const axis = axisOf(data, controls, renew, redraw);
  host.append(controls);
  legend(host, data, shared, false);
  host.append(grid);
  renew();
  shared.listeners.push(redraw);
}

function overallRows(host, data, shared, overall, places, where) {
  const rows = () => overall.filter((row) => !shared.hidden.has(places.get(row.policy))).map((row) => {
    const policy = places.get(row.policy);
    const words = [...comparedWords(data, policy, where, row), `could have seen ${number(row.detectable, 3)}`];
    return { label: row.policy, policy, mid: row.difference, low: row.low, high: row.high, hollow: row.verdict === "undecided", note: row.verdict, words };
  });
  const numbers = () => ({
    head: ["policy", "difference", "from", "to", "relative", "adjusted p", "could have seen", "verdict"],
    rows: overall.map((row) => [row.policy, row.difference, row.low, row.high, row.relative, row.p_adjusted, row.detectable, row.verdict]),
  });
  return rowChart(host, data, { title: `In ${where}`, rows, numbers, zero: true, xLabel: () => `difference from ${data.baseline}` });
}

function rowAt(data, w, policy) {
  const pair = w * data.policies.length + policy;
  return Object.fromEntries(Object.entries(data.differences).map(([key, values]) => [key, values[pair]]));
}

function differenceLines(host, data, shared, axis) {
  const series = () => {
    const { worlds, values } = axis.group();
    return visible(data, shared).filter((policy) => data.policies[policy].label !== data.baseline).map((policy) => {
      const rows = worlds.map((w) => rowAt(data, w, policy));
      const column = (name) => rows.map((row) => row[name]);
      const words = (i) => comparedWords(data, policy, `${axis.view().key} ${number(values[i])}`, rows[i]).slice(1);
      return { policy, xs: values, ys: column("difference"), lows: column("low"), highs: column("high"), hollow: rows.map((row) => row.verdict === "undecided"), words };
    });
  };
  const labels = { xLabel: () => axis.view().key, yLabel: () => `difference from ${data.baseline}`, log: () => axis.view().log };
  return lineChart(host, data, { title: "In each world", series, zero: true, ...labels });
}

function differenceRows(host, data, shared) {
  const others = () => visible(data, shared).filter((policy) => data.policies[policy].label !== data.baseline);
  const rows = () => data.worlds.flatMap((world, w) => [
    { label: world },
    ...others().map((policy) => {
      const row = rowAt(data, w, policy);
      return { label: "", policy, mid: row.difference, low: row.low, high: row.high, hollow: row.verdict === "undecided", words: comparedWords(data, policy, world, row) };
    }),
  ]);
  const numbers = () => ({
    head: ["world", "policy", "difference", "from", "to", "verdict"],
    rows: data.worlds.flatMap((world, w) => others().map((policy) => {
      const row = rowAt(data, w, policy);
      return [world, data.policies[policy].label, row.difference, row.low, row.high, row.verdict];
    })),
  });
  return rowChart(host, data, { title: "In each world", rows, numbers, zero: true, xLabel: () => `difference from ${data.baseline}` });
}

function spending(host, data, shared) {
  if (!data.spending.length) {
    host.append(make("p", {}, data.traces ? "No world that is shown has a resource." : "No rounds were recorded: the study says traces = 0."));
    return;
  }
  const controls = make("div", { class: "controls" });
  host.append(controls);
  legend(host, data, shared, false);
  const grid = make("div", { class: "figures" });
  const few = data.spending.length < data.worlds.length ? ` Of ${data.worlds.length} worlds, ${data.spending.length} are shown.` : "";
  const note = `Means over the recorded replicates, at most ${data.traces} of each policy; a run that has stopped spends no more.${few}`;
  host.append(grid, make("p", { class: "soft" }, note));
  let chosen = Math.floor((data.spending.length - 1) / 2);
  let charts = [];
  const renew = () => {
    const own = data.spending[chosen];
    grid.replaceChildren();
    charts = own.resources.map((name, j) => {
      const series = () => visible(data, shared).filter((policy) => own.curves[policy]).map((policy) => {
        const ys = own.curves[policy][j].map((each) => each / 1000);
        return { policy, xs: own.steps, ys, words: (i) => [`after round ${own.steps[i]}`, `${percent(ys[i])} of ${name} spent`] };
      });
      const format = (value) => percent(value, 0);
      return lineChart(grid, data, { title: name, series, zero: true, format, xLabel: () => "round", yLabel: () => "share of the budget spent", log: () => false });
    });
  };
  const worlds = data.spending.map((each) => data.worlds[each.world]);
  if (worlds.length > 1) {
    controls.append(choose("world", worlds, chosen, (value) => {
      chosen = value;
      renew();
    }));
  }
  renew();
  shared.listeners.push(() => charts.forEach((each) => each.redraw()));
}

function distribution(host, data, shared) {
  if (!data.spread.length) {
    host.append(make("p", {}, "No run was finished."));
    return;
  }
  let chosen = Math.floor((data.spread.length - 1) / 2);
  const controls = make("div", { class: "controls" });
  host.append(controls, make("p", { class: "soft" }, "How many runs earned how much. Below: from the 5th to the 95th percentile, thick between the quartiles, the mark at the median."));
  const own = () => data.spread[chosen];
  const there = () => Object.keys(own().policies).map(Number);
  const rows = () => there().filter((policy) => !shared.hidden.has(policy)).map((policy) => {
    const { counts, edges, quantiles, mean } = own().policies[policy];
    const [low, five, quarter, middle, three, most, high] = quantiles;
    const label = data.policies[policy].label;
    const words = [label, `median ${number(middle)} (quartiles ${number(quarter)} to ${number(three)})`, `mean ${number(mean)}`, `5 to 95\u00a0%: ${number(five)} to ${number(most)}`, `all: ${number(low)} to ${number(high)}`];
    return { label, policy, mid: middle, low: five, high: most, box: [quarter, three], counts, edges, words };
  });
  const numbers = () => ({
    head: ["policy", "mean", "least", "5\u00a0%", "25\u00a0%", "median", "75\u00a0%", "95\u00a0%", "most"],
    rows: there().map((policy) => [data.policies[policy].label, own().policies[policy].mean, ...own().policies[policy].quantiles]),
  });
  const view = rowChart(host, data, { title: "Rewards of the replicates", rows, numbers, zero: null, xLabel: () => "reward" });
  const rename = () => view.rename(`Rewards of the replicates in ${data.worlds[own().world]}`);
  rename();
  if (data.spread.length > 1) {
    controls.append(choose("world", data.spread.map((each) => data.worlds[each.world]), chosen, (value) => {
      chosen = value;
      rename();
      view.redraw();
    }));
  }
  shared.listeners.push(() => view.redraw());
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const shared = { hidden: new Set(), listeners: [], tell: () => shared.listeners.forEach((each) => each()) };
  earned(placeOf("earned"), data, shared);
  differences(placeOf("differences"), data, shared);
  spending(placeOf("spending"), data, shared);
  distribution(placeOf("distribution"), data, shared);
  heatMap(placeOf("heat"), data);
  singleRuns(placeOf("game"), data);
  document.querySelectorAll("table[data-sortable]").forEach(sortable);
  document.documentElement.dataset.ready = "yes";
}

start();
