// What lies along the axis of a figure, and the numbers of worlds and policies there.

// Which worlds or policies lie along the axis now, and the controls that choose; `renewed` follows a change of the axis.
function axisOf(data, controls, renewed, redraw) {
  const chosen = { view: data.rows ? data.views.length : 0, group: 0 };
  const view = () => data.views[chosen.view];
  const names = [...data.views.map((each) => each.key), "none: a row for each world"];
  const renew = () => {
    const made = [];
    if (data.views.length) {
      made.push(
        choose("along the axis", names, chosen.view, (value) => {
          [chosen.view, chosen.group] = [value, 0];
          renew();
          renewed();
          controls.querySelector("select").focus();
        }),
      );
    }
    if (view() && view().groups.length > 1) {
      made.push(
        choose(
          "with",
          view().groups.map((each) => each.label),
          chosen.group,
          (value) => {
            chosen.group = value;
            redraw();
          },
        ),
      );
    }
    if (view()?.note) made.push(make("span", { class: "soft" }, `Along this axis ${view().note}.`));
    controls.replaceChildren(...made);
  };
  renew();
  const group = () => view().groups[chosen.group];
  return { view, group, numeric: () => Boolean(view()), curves: (hidden) => curvesOf(data, view(), group(), hidden) };
}

// Lines along the axis: [{policy, label, xs, pairs}]; pairs are places in the columns of data, the look is the policy's.
function curvesOf(data, view, group, hidden) {
  const place = (w, policy) => w * data.policies.length + policy;
  const shown = (policy) => !hidden.has(policy);
  if (!view.lines.length)
    return data.policies
      .map((each, policy) => ({ policy, label: each.label, xs: group.values }))
      .filter((each) => shown(each.policy))
      .map((each) => ({ ...each, pairs: group.worlds.map((w) => place(w, each.policy)) }));
  return view.lines
    .map(({ label, leader, policies, values }) => ({
      label,
      policy: leader,
      xs: values.filter((_, i) => shown(policies[i])),
      pairs: policies.filter(shown).map((policy) => place(group.worlds[0], policy)),
    }))
    .filter((each) => each.pairs.length);
}

function visible(data, shared) {
  return data.policies.map((_, i) => i).filter((i) => !shared.hidden.has(i));
}

function valuesAt(frame, column, pairs) {
  return column ? pairs.map((pair) => frame[column][pair]) : null;
}

function between(low, high) {
  return known(low) ? ` (${number(low)} to ${number(high)})` : "";
}
