// What lies along the axis of a figure, and the numbers of worlds and policies there.

// Which worlds lie along the axis now, and the controls that choose them; `renewed` follows a change of the axis.
function axisOf(data, controls, renewed, redraw) {
  const chosen = { view: 0, group: 0 };
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
    const without = view() ? data.worlds.length - view().groups.reduce((sum, each) => sum + each.worlds.length, 0) : 0;
    if (without)
      made.push(
        make("span", { class: "soft" }, `Worlds without ${view().key}, not shown along this axis: ${without}.`),
      );
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
