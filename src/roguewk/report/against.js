// What pulls of an arm brought beside what was expected of them: by the time since the last use, and by uses of late.

function against(host, data) {
  if (!data.against.length) {
    host.append(make("p", {}, "There are no observed pulls."));
    return;
  }
  let chosen = 0;
  const controls = make("div", { class: "controls" });
  const keys = make("div", { class: "legend" });
  const grid = make("div", { class: "figures" });
  const note = make("p", { class: "soft" });
  host.append(controls, keys, grid, note);
  const renew = () => {
    const own = data.against[chosen];
    const label = data.policies[own.arm].label;
    grid.replaceChildren();
    groupKeys(keys, own.arm);
    const common = { policy: () => own.arm, yLabel: () => "mean reward", zero: null };
    if (own.gaps.place.length)
      pointChart(grid, data, {
        ...common,
        title: `${label}: recovery`,
        groups: () => own.gaps,
        xLabel: () => `${data.unit} since the last use`,
      });
    pointChart(grid, data, {
      ...common,
      title: `${label}: wear`,
      groups: () => own.used,
      xLabel: () => `uses in the last ${number(own.window, 2)} ${data.unit}`,
    });
    note.textContent = firstUses(own.first);
  };
  if (data.against.length > 1) {
    const names = data.against.map((each) => data.policies[each.arm].label);
    controls.append(
      choose("arm", names, chosen, (value) => {
        chosen = value;
        renew();
      }),
    );
  }
  renew();
}

function firstUses(first) {
  if (!first) return "";
  const [observed, low, high, expected] = ["observed", "low", "high", "expected"].map((name) => number(first[name], 3));
  return `First uses (${first.pulls}): ${observed} on average (${low} to ${high}), expected ${expected}.`;
}
