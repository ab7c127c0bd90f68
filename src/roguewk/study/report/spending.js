// The share of each budget that is spent, over the rounds.

function spending(host, data, shared) {
  if (!data.spending.length) {
    host.append(
      make(
        "p",
        {},
        data.traces ? "No world that is shown has a resource." : "No rounds were recorded: the study says traces = 0.",
      ),
    );
    return;
  }
  const controls = make("div", { class: "controls" });
  host.append(controls);
  legend(host, data, shared);
  const grid = make("div", { class: "figures" });
  const few =
    data.spending.length < data.worlds.length
      ? ` Of ${data.worlds.length} worlds, ${data.spending.length} are shown.`
      : "";
  const note = `Means over the recorded replicates, at most ${data.traces} of each policy; a run that has stopped spends no more.${few}`;
  host.append(grid, make("p", { class: "soft" }, note));
  let chosen = Math.floor((data.spending.length - 1) / 2);
  let charts = [];
  const renew = () => {
    const own = data.spending[chosen];
    grid.replaceChildren();
    charts = own.resources.map((name, j) => {
      const series = () =>
        visible(data, shared)
          .filter((policy) => own.curves[policy])
          .map((policy) => {
            const ys = own.curves[policy][j];
            return {
              policy,
              xs: own.steps,
              ys,
              words: (i) => [`after round ${own.steps[i]}`, `${percent(ys[i])} of ${name} spent`],
            };
          });
      return lineChart(grid, data, {
        title: name,
        series,
        zero: true,
        format: percent,
        xLabel: () => "round",
        yLabel: () => "share of the budget spent",
        log: () => false,
      });
    });
  };
  const worlds = data.spending.map((each) => data.worlds[each.world]);
  if (worlds.length > 1) {
    controls.append(
      choose("world", worlds, chosen, (value) => {
        chosen = value;
        renew();
      }),
    );
  }
  renew();
  shared.listeners.push(() => charts.forEach((each) => each.redraw()));
}
