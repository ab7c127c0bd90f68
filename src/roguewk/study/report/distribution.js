// How the rewards of the replicates are distributed, world by world.

function distribution(host, data, shared) {
  if (!data.spread.length) {
    host.append(make("p", {}, "No run was finished."));
    return;
  }
  let chosen = Math.floor((data.spread.length - 1) / 2);
  const controls = make("div", { class: "controls" });
  host.append(
    controls,
    make(
      "p",
      { class: "soft" },
      "How many runs earned how much. Below: from the 5th to the 95th percentile, thick between the quartiles, the mark at the median.",
    ),
  );
  const own = () => data.spread[chosen];
  const there = () => Object.keys(own().policies).map(Number);
  const rows = () =>
    there()
      .filter((policy) => !shared.hidden.has(policy))
      .map((policy) => {
        const { counts, edges, quantiles, mean } = own().policies[policy];
        const [low, five, quarter, middle, three, most, high] = quantiles;
        const label = data.policies[policy].label;
        const words = [
          label,
          `median ${number(middle)} (quartiles ${number(quarter)} to ${number(three)})`,
          `mean ${number(mean)}`,
          `5 to 95\u00a0%: ${number(five)} to ${number(most)}`,
          `all: ${number(low)} to ${number(high)}`,
        ];
        return { label, policy, mid: middle, low: five, high: most, box: [quarter, three], counts, edges, words };
      });
  const numbers = () => ({
    head: ["policy", "mean", "least", "5\u00a0%", "25\u00a0%", "median", "75\u00a0%", "95\u00a0%", "most"],
    rows: there().map((policy) => [
      data.policies[policy].label,
      own().policies[policy].mean,
      ...own().policies[policy].quantiles,
    ]),
  });
  const view = rowChart(host, data, {
    title: "Rewards of the replicates",
    rows,
    numbers,
    zero: null,
    xLabel: () => "reward",
  });
  const rename = () => view.rename(`Rewards of the replicates: ${data.worlds[own().world]}`);
  rename();
  if (data.spread.length > 1) {
    controls.append(
      choose(
        "world",
        data.spread.map((each) => data.worlds[each.world]),
        chosen,
        (value) => {
          chosen = value;
          rename();
          view.redraw();
        },
      ),
    );
  }
  shared.listeners.push(() => view.redraw());
}
