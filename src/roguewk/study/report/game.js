// Single runs: for each arm its state over the rounds and its pulls, and the reward so far.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LEVELS = 64 * 64 - 1;
const AFTER = -2; // the arm of rounds after the end

function unpack(packed) {
  const found = [];
  for (let i = 0; i < packed.length; i += 2)
    found.push(64 * LETTERS.indexOf(packed[i]) + LETTERS.indexOf(packed[i + 1]));
  return found;
}

function unscale([low, high, packed]) {
  return unpack(packed).map((level) => low + ((high - low) * level) / LEVELS);
}

function unpackRun(run) {
  const rewards = unscale(run.rewards);
  let sum = 0;
  return {
    arms: unpack(run.arms).map((each) => each + AFTER),
    rewards,
    total: rewards.map((each) => (sum += each)),
    states: run.states.map(unscale),
    highest: Math.max(...rewards, 0) || 1,
  };
}

function singleRuns(host, data) {
  if (!data.games.length) {
    host.append(
      make(
        "p",
        {},
        data.traces ? "No recorded run has a round to show." : "No rounds were recorded: the study says traces = 0.",
      ),
    );
    return;
  }
  const chosen = { world: Math.floor((data.games.length - 1) / 2), policy: 0, replicate: 0 };
  const controls = make("div", { class: "controls" });
  const note = make("p", { class: "soft" });
  host.append(controls, note);
  const game = () => data.games[chosen.world];
  const policies = () => Object.keys(game().runs);
  const run = () => game().runs[policies()[chosen.policy]][chosen.replicate];
  const view = chart(host, {
    title: "States and pulls",
    nearest: "x",
    draw: (svg, width) => drawRun(svg, width, game(), unpackRun(run())),
    label: () => `The states and pulls of ${game().arms.length} arms over ${run().rounds} rounds.`,
    numbers: () => runNumbers(game(), unpackRun(run())),
  });
  const renew = () => {
    chosen.policy = Math.min(chosen.policy, policies().length - 1);
    chosen.replicate = Math.min(chosen.replicate, game().runs[policies()[chosen.policy]].length - 1);
    const set = (key) => (value) => {
      chosen[key] = value;
      renew();
      [...controls.querySelectorAll("select")][Object.keys(chosen).indexOf(key)].focus();
    };
    controls.replaceChildren(
      choose(
        "world",
        data.games.map((each) => data.worlds[each.world]),
        chosen.world,
        set("world"),
      ),
      choose(
        "policy",
        policies().map((each) => data.policies[each].label),
        chosen.policy,
        set("policy"),
      ),
      choose(
        "replicate",
        game().runs[policies()[chosen.policy]].map((each) => String(each.replicate)),
        chosen.replicate,
        set("replicate"),
      ),
    );
    note.textContent = aboutRun(data, run());
    view.rename(
      `${data.policies[policies()[chosen.policy]].label}: ${data.worlds[game().world]}, replicate ${run().replicate}`,
    );
    view.redraw();
  };
  renew();
}

function aboutRun(data, run) {
  const few =
    data.games.length < data.worlds.length ? ` Of ${data.worlds.length} worlds, ${data.games.length} are shown.` : "";
  const cut = unpack(run.arms).length < run.rounds ? ` The first ${unpack(run.arms).length} are shown.` : "";
  return `This run earned ${number(run.reward)} in ${run.rounds} rounds${endWords(run)}.${cut} Lines are states; ticks are pulls, as high as their reward.${few}`;
}

// Where idle rounds bring something: what came after the end, and what the pulls added to doing nothing.
function endWords(run) {
  if (run.effect === undefined) return "";
  const ended = run.lived < run.rounds ? `, ${number(run.after)} of it after the end in round ${run.lived - 1}` : "";
  return `${ended}; its effect, what was to be expected beyond doing nothing throughout, is ${number(run.effect)}`;
}

function drawRun(svg, width, game, run) {
  const x = scale([0, run.arms.length], [8, width - 12]);
  const domain = domainOf(run.states.flat());
  const idle = run.arms.some((arm) => arm < 0);
  const points = [];
  const tops = game.arms.map((_, arm) => 4 + 78 * arm);
  game.arms.forEach((name, arm) => drawArm(svg, width, game, run, { name, arm, x, domain, top: tops[arm] }));
  let bottom = 4 + 78 * game.arms.length;
  if (idle) {
    svg.append(text("idle", 2, bottom + 13, { class: "over" }));
    const rests = run.arms.flatMap((arm, t) =>
      arm < 0
        ? [
            [x(t), bottom + 18],
            [x(t), bottom + 26],
            [NaN, 0],
          ]
        : [],
    );
    svg.append(shape("path", { d: path(rests), class: "rest" }));
    bottom += 36;
  }
  const y = scale(domainOf([0, ...run.total]), [bottom + 78, bottom + 22]);
  const [least, most] = extent([0, ...run.total]).map((each) => number(each, 4));
  svg.append(text(`reward so far (${least} to ${most})`, 2, bottom + 13, { class: "over" }));
  svg.append(shape("path", { d: path(run.total.map((each, t) => [x(t), y(each)])), class: "total" }));
  for (const tick of ticks(0, run.arms.length, Math.max(2, Math.floor(width / 90)))) {
    svg.append(text(number(tick, EXACT), Math.min(x(tick), width - 16), bottom + 96, { "text-anchor": "middle" }));
  }
  svg.append(text("round", width - 6, bottom + 112, { class: "axis", "text-anchor": "end" }));
  run.arms.forEach((arm, t) => {
    points.push({ x: x(t), y: arm < 0 ? bottom - 14 : tops[arm] + 65, row: 0, col: t, text: roundWords(game, run, t) });
  });
  return { height: bottom + 120, points };
}

function drawArm(svg, width, game, run, { name, arm, x, domain, top }) {
  const pulls = run.arms.filter((each) => each === arm).length;
  const [low, high] = extent(run.states.filter((_, i) => game.states[i] === arm).flat());
  const range = `: state from ${number(low, 3)} to ${number(high, 3)}`;
  const span = fit(name, width - widthOf(`${range}${pulls} pulls`) - 20) + range;
  svg.append(
    text(span, 2, top + 13, { class: "over" }),
    text(`${pulls} pulls`, width - 4, top + 13, { class: "over soft", "text-anchor": "end" }),
  );
  const y = scale(domain, [top + 52, top + 20]);
  let own = 0;
  game.states.forEach((owner, i) => {
    if (owner !== arm) return;
    svg.append(
      shape("path", {
        d: path(run.states[i].map((state, t) => [x(t), y(state)])),
        class: `state state${Math.min(own, 2)}`,
      }),
    );
    own += 1;
  });
  const ticksOf = run.arms.flatMap((each, t) =>
    each === arm
      ? [
          [x(t), top + 71],
          [x(t), top + 68 - (11 * Math.max(0, run.rewards[t])) / run.highest],
          [NaN, 0],
        ]
      : [],
  );
  if (ticksOf.length) svg.append(shape("path", { d: path(ticksOf), class: "pull" }));
  svg.append(
    shape("path", {
      d: path([
        [8, top + 71],
        [width - 12, top + 71],
      ]),
      class: "rule",
    }),
  );
}

function roundWords(game, run, t) {
  const arm = run.arms[t];
  const brought = arm < 0 && !run.rewards[t] ? "" : `, reward ${number(run.rewards[t], 4)}`;
  const what = arm === AFTER ? "idle after the end" : arm < 0 ? "idle" : `pulled ${game.arms[arm]}`;
  const states = arm === AFTER ? [] : game.arms.map((name, a) => {
    const own = game.states.flatMap((owner, i) => (owner === a ? [number(run.states[i][t], 3)] : []));
    return `${name}: state ${own.join(", ")}`;
  });
  return [`round ${t}`, what + brought, `so far ${number(run.total[t], 4)}`, ...(states.length > 8 ? [] : states)];
}

function runNumbers(game, run) {
  const names = game.states.map((owner, i) => `state of ${game.arms[owner]} ${i - game.states.indexOf(owner)}`);
  const rows = run.arms.map((arm, t) =>
    [t, arm < 0 ? "idle" : game.arms[arm], run.rewards[t], ...run.states.map((each) => each[t] ?? "")].map((each) =>
      typeof each === "number" ? Number(each.toPrecision(5)) : each,
    ),
  );
  return { head: ["round", "arm", "reward", ...names], rows };
}
