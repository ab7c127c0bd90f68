"""Why this arm now: a decision in words and numbers.

Planners weigh reward now, wear, price and learning; linear programs reward bounds and prices; UCB1 reward bounds alone.
"""

from collections.abc import Sequence

import numpy as np

from roguewk.estimate.dynamics.summary import Range
from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.policy.outlook import Outlook, Told
from roguewk.policy.wording import IDLE, Columns, amount, listing, paragraph

EVEN = 1e-9  # sums this close are equal but for rounding
MOST = 4  # resources named one by one


def explanation(decision: Told) -> str:
    """Why this arm, or none, in this round."""
    return "\n\n".join(filter(None, (_reason(decision), _contexts(decision), _limits(decision))))


def _contexts(decision: Told) -> str:
    """What the contexts of the round are, and what they do to arms."""
    surroundings = decision.setting.surroundings
    if surroundings is None or decision.occasion < 0:
        return ""
    return paragraph(surroundings.in_words(decision.occasion, decision.setting.levels))


def _limits(decision: Told) -> str:
    """What limits leave out, but for what contexts forbid besides."""
    surroundings, names = decision.setting.surroundings, decision.setting.arms
    kept_out = decision.left_out
    if surroundings is not None and decision.occasion >= 0:
        kept_out = tuple(each for each in kept_out if not surroundings.causes(names.index(each.arm), decision.occasion))
    return paragraph(f"Limits leave out {listing([each.in_words() for each in kept_out])}.") if kept_out else ""


def _reason(decision: Told) -> str:
    status = decision.code
    if status == Status.FIRST_PULL:
        return paragraph(f"Arm {decision.name!r} is played: each arm is played once before they are compared.")
    if decision.outlook is not None and status in (Status.PLANNED, Status.WAITING):
        return _planned(decision, decision.outlook)
    if status == Status.LARGEST:
        return _largest(decision)
    if status == Status.UNKNOWN:
        return paragraph(f"Arm {decision.name!r} is played: too little is known of it, so it is tried.")
    if status in (Status.RATIO, Status.MIXED, Status.SCHEDULED, Status.IN_ARREARS, Status.GIVEN):
        return _by_value(decision, status)
    if status in (Status.OPTIMAL, Status.STRETCHED, Status.UNREWARDING, Status.UNSOLVED, Status.IGNORED):
        return _mixed(decision, status)
    what = "No arm" if decision.arm is None else f"Arm {decision.name!r}"
    return paragraph(f"{what} is played: {decision.status.removesuffix(': an idle round')}.")


def _ranked(decision: Told, values: Vector) -> list[int]:
    """The arms that were available, best first."""
    order = np.argsort(-values, kind="stable")
    return [int(a) for a in order if decision.available is None or decision.available[a]]


def _table(decision: Told, columns: dict[str, Vector], idle: dict[str, float], order: list[int]) -> str:
    """The arms in this order, those that were not available last, with a row for an idle round where it may be."""
    away = [a for a in range(len(decision.setting.arms)) if a not in order]
    table = Columns(list(columns))
    for a in (*order, *away):
        note = "not available" if a in away else "played" if a == decision.arm else ""
        table.add(decision.setting.arms[a], [float(column[a]) for column in columns.values()], note)
    if idle and decision.setting.may_idle:
        table.add(IDLE, [idle.get(name) for name in columns], "chosen" if decision.arm is None else "")
    return str(table)


def _effects(decision: Told, rewards: Vector) -> dict[str, Vector]:
    """A column of what arms bring beyond an idle round, where that brings something."""
    return {} if decision.baseline is None else {"effect": rewards - decision.baseline}


def _idle(decision: Told, column: str) -> dict[str, float]:
    """What an idle round has in the column of rewards and in that of effects."""
    return {} if decision.baseline is None else {column: decision.baseline, "effect": 0.0}


def _beyond(decision: Told, reward: float) -> str:
    """How far a reward is from what an idle round brings, in brackets."""
    if decision.baseline is None:
        return ""
    effect = reward - decision.baseline
    return f" ({amount(abs(effect))} {'beyond' if effect >= 0 else 'short of'} an idle round)"


def _planned(decision: Told, outlook: Outlook) -> str:
    sums = outlook.sums
    order = _ranked(decision, sums)
    lead = _waiting(decision, outlook, order[0]) if decision.arm is None else _best(decision, outlook, order)
    columns = {"reward now": outlook.now, **_effects(decision, outlook.now), "wear": outlook.wear}
    if decision.setting.resources:
        columns["price"] = -outlook.charge
    if outlook.learning.any():
        columns["learning"] = outlook.learning
    table = _table(decision, {**columns, "sum": sums}, {**_idle(decision, "reward now"), "sum": 0.0}, order)
    told = order[0] if decision.arm is None else decision.arm
    notes = " ".join(filter(None, (_prices(decision, told), _round_price(outlook))))
    learned = _learned(decision, outlook, told)
    return "\n\n".join(filter(None, (paragraph(lead), table, paragraph(notes), paragraph(learned))))


def _learned(decision: Told, outlook: Outlook, arm: int) -> str:
    """What is believed of how an arm wears off and recovers, and how firmly."""
    if outlook.beliefs is None:
        return ""
    half_life, wear = outlook.beliefs[arm].half_life, outlook.beliefs[arm].wear
    unit = decision.setting.levels[arm]
    if wear.value > 0:
        lost = f"to lose {_between(wear)} {unit} by a use"
    elif wear.low == wear.high == 0:
        lost = "to lose nothing by a use"
    else:
        lost = f"to lose nothing by a use (between {wear.low:.2g} and {wear.high:.2g} {unit})"
    name = decision.setting.arms[arm]
    return f"{name!r} is believed to have a half-life of {_between(half_life)} rounds, and {lost}."


def _between(found: Range) -> str:
    if found.low == found.high:  # it was told
        return f"{found.value:.2g}"
    return f"{found.value:.2g} (between {found.low:.2g} and {found.high:.2g})"


def _best(decision: Told, outlook: Outlook, order: list[int]) -> str:
    """Why a planner plays this arm."""
    arm, sums, names = int(decision.arm or 0), outlook.sums, decision.setting.arms
    lead = f"Arm {names[arm]!r} is played: {_account(decision, outlook, arm)}, {amount(sums[arm])} in all."
    if sums[arm] < 0 and not decision.setting.may_idle:
        lead += " Less than nothing, but every round must be played."
    rivals = {repr(names[a]): float(sums[a]) for a in order if a != arm}
    if decision.setting.may_idle:
        rivals["an idle round"] = 0.0
    if not rivals:
        return f"{lead} There was nothing else to do."
    rival = max(rivals, key=lambda name: rivals[name])
    theirs, margin = amount(rivals[rival]), float(sums[arm]) - rivals[rival]
    if margin < -EVEN:
        return (
            f"{lead} Looking one round ahead, {rival} would be better ({theirs}, {amount(-margin)} more); looking"
            f" {_rounds(outlook)} ahead, it is best to begin with {names[arm]!r}."
        )
    ties = [name for name, total in rivals.items() if rivals[rival] - total <= EVEN]
    return f"{lead} {_next(ties, 'comes to', 'come to', theirs, margin)}"


def _next(names: Sequence[str], one: str, several: str, theirs: str, margin: float) -> str:
    """What comes next: one, or some that tie, by their names unless they are many; how much it has and falls short."""
    verb = one if len(names) == 1 else several
    ties = listing(names) if len(names) <= MOST else f"{len(names)} others"
    if margin <= EVEN:
        return f"{ties[0].upper()}{ties[1:]} {verb} just as much."
    who = f"The runner-up, {ties}," if len(names) == 1 else f"The next, {ties}, tie: they"
    return f"{who} {verb} {theirs}, {amount(margin)} less."


def _waiting(decision: Told, outlook: Outlook, nearest: int) -> str:
    """Why a planner leaves a round idle."""
    name, gain = decision.setting.arms[nearest], float(outlook.sums[nearest])
    if gain > EVEN:
        return (
            f"No arm is played: looking {_rounds(outlook)} ahead, it is best to begin with an idle round, though a pull"
            f" of {name!r} would gain {amount(gain)} in this round alone: {_account(decision, outlook, nearest)}."
        )
    costs = ["its price", "its wear"] if decision.setting.resources else ["its wear"]
    if decision.baseline is not None:
        costs.insert(0, f"the {amount(decision.baseline)} of an idle round")
    return (
        f"No arm is played: no arm's reward now covers {listing(costs)}. {name!r} comes nearest:"
        f" {_account(decision, outlook, nearest)},"
        f" {amount(-gain)} too little."
    )


def _rounds(outlook: Outlook) -> str:
    return f"{outlook.ahead} round{'' if outlook.ahead == 1 else 's'}"


def _account(decision: Told, outlook: Outlook, arm: int) -> str:
    """Reward now, wear, price and learning of an arm as half a sentence."""
    wear, charge, learning = float(outlook.wear[arm]), float(outlook.charge[arm]), float(outlook.learning[arm])
    parts = [f"it promises {amount(outlook.now[arm])} now{_beyond(decision, outlook.now[arm])}"]
    if wear < 0:
        parts.append(f"wears off {amount(-wear)} of what it can earn later")
    elif wear > 0:
        parts.append(f"adds {amount(wear)} to what it can earn later")
    if charge > 0:
        parts.append(f"takes resources worth {amount(charge)}")
    if learning > 0:
        parts.append(f"is credited {amount(learning)} for what is yet to be learned")
    return listing(parts)


def _prices(decision: Told, arm: int) -> str:
    """What a pull takes of each resource, and what that is worth."""
    names, prices = decision.setting.resources, decision.prices
    if not names:
        return ""
    if not prices.any():
        return "No resource has a price: the budgets last for what is planned."
    needed = np.flatnonzero(prices * decision.cost_bounds[arm])
    if not needed.size:
        return f"A pull of {decision.setting.arms[arm]!r} is taken to need nothing that has a price."
    dear = sorted(needed, key=lambda j: -prices[j] * decision.cost_bounds[arm, j])
    parts = [f"{amount(decision.cost_bounds[arm, j])} of {names[j]!r} at {amount(prices[j])} a unit" for j in dear]
    more = [f"{len(parts) - MOST} more resources"] if len(parts) > MOST else []
    free = [repr(name) for name, price in zip(names, prices, strict=True) if not price]
    verb = "has" if len(free) == 1 else "have"
    free = [f"{len(free)} resources"] if len(free) > MOST else free
    rest = f"; {listing(free)} {verb} no price" if free else ""
    return f"A pull of {decision.setting.arms[arm]!r} is taken to need {listing(parts[:MOST] + more)}{rest}."


def _round_price(outlook: Outlook) -> str:
    price = outlook.round_price
    if abs(price) <= EVEN:
        return ""
    if price > 0:
        worth = (
            f"A round that one arm uses cannot be used by another: that is worth {amount(price)} of reward, and of"
            " later pulls only what they bring beyond that counts."
        )
    else:
        worth = (
            f"Every round has to be played, and one more would cost {amount(-price)} of reward: later pulls are"
            " credited with that, as each of them fills one."
        )
    return f"{worth} This round passes anyway, so nothing is counted for it."


BY_BOUND = (Status.UNREWARDING, Status.IGNORED)  # the largest reward bound is played, whatever the prices
REASONS = {
    Status.STRETCHED: "the budgets do not last for a pull in every round, so the optimal shares are scaled up to one",
    Status.UNREWARDING: "no arm promises a positive reward within the budgets, and its reward bound is the largest",
    Status.UNSOLVED: "the linear program was not solved to the end, and its last shares are used",
    Status.IGNORED: "the budgets do not last for a pull in every round, and its reward bound is the largest",
}


def _mixed(decision: Told, status: Status) -> str:
    """A draw from the shares of a linear program."""
    shares, priced = decision.probabilities, decision.cost_bounds @ decision.prices
    values = decision.reward_bounds - (decision.baseline or 0.0) - priced
    idle = max(1.0 - float(shares.sum()), 0.0)
    decisive = decision.reward_bounds if status in BY_BOUND else values
    order = sorted(_ranked(decision, decisive), key=lambda a: -shares[a])
    lead = _no_draw(decision, values, idle) if decision.arm is None else _draw(decision, status, decisive, order, idle)
    columns = {"reward bound": decision.reward_bounds, **_effects(decision, decision.reward_bounds)}
    if decision.setting.resources:
        columns |= {"price": -priced, "sum": values}
    columns["probability"] = shares
    resting = {**_idle(decision, "reward bound"), "sum": 0.0, "probability": idle}
    table = _table(decision, columns, resting, order)
    notes = _prices(decision, order[0] if decision.arm is None else decision.arm)
    return "\n\n".join(filter(None, (paragraph(lead), table, paragraph(notes))))


def _draw(decision: Told, status: Status, decisive: Vector, order: list[int], idle: float) -> str:
    arm, names, shares = int(decision.arm or 0), decision.setting.arms, decision.probabilities
    bounds = decision.reward_bounds
    certain, priced = float(shares[arm]) > 1.0 - EVEN, bool(decision.prices.any()) and status not in BY_BOUND
    how = "the linear program plays nothing else" if certain else f"it was drawn with probability {amount(shares[arm])}"
    how = f"{REASONS[status]}; {how}" if status in REASONS and not certain else REASONS.get(status, how)
    bound = f"{amount(bounds[arm])}{_beyond(decision, bounds[arm])}"
    lead = f"Arm {names[arm]!r} is played: {how}. Its reward bound is {bound}"
    if priced:
        price = amount(float(decision.cost_bounds[arm] @ decision.prices))
        lead += f"; its pull has the price {price}, which leaves {amount(decisive[arm])}"
    rivals = [a for a in order if a != arm]
    if not rivals:
        return f"{lead}. No other arm was available."
    rival, verb = rivals[0], "leaves" if priced else "has"
    margin = float(decisive[arm] - decisive[rival])
    gap = f"{amount(abs(margin))} {'less' if margin > 0 else 'more'}" if abs(margin) > EVEN else "just as much"
    theirs = f"{verb} {amount(decisive[rival])}, {gap}"
    if shares[rival] > 0:
        lead += f". It could also have been {names[rival]!r}, with probability {amount(shares[rival])}, which {theirs}."
    else:
        lead += f". The runner-up, {names[rival]!r}, {theirs}."
    return lead + (f" An idle round had probability {amount(idle)}." if idle > EVEN else "")


def _no_draw(decision: Told, values: Vector, idle: float) -> str:
    nearest = _ranked(decision, values)[0]
    short, name = -float(values[nearest]), repr(decision.setting.arms[nearest])
    lead = f"No arm is played: the optimal shares leave a round idle with probability {amount(idle)}."
    if short > EVEN:
        what = "the price of its pull"
        what += "" if decision.baseline is None else f" and the {amount(decision.baseline)} of an idle round"
        return f"{lead} No reward bound covers {what}: {name} comes nearest, {amount(short)} too little."
    return f"{lead} The budgets do not last for more: at their prices {name}, which comes nearest, gains nothing."


def _largest(decision: Told) -> str:
    """By its value alone, which is a bound, a draw or an index."""
    bounds, names = decision.reward_bounds, decision.setting.arms
    order = _ranked(decision, bounds)
    lead = f"Arm {decision.name!r} is played: its value, {amount(bounds[order[0]])}, is the largest."
    if len(order) > 1:
        margin = float(bounds[order[0]] - bounds[order[1]])
        ties = [repr(names[a]) for a in order[1:] if bounds[order[1]] - bounds[a] <= EVEN]
        lead += f" {_next(ties, 'has', 'have', amount(bounds[order[1]]), margin)}"
    ignored = " Costs are not looked at." if decision.setting.resources else ""
    return f"{paragraph(lead + ignored)}\n\n{_table(decision, {'value': bounds}, {}, order)}"


HOW = {
    Status.RATIO: "its value is the largest for its cost",
    Status.SCHEDULED: "it is its turn by the plan",
    Status.IN_ARREARS: "it was played least, compared with the shares that the linear program gave it so far",
}


def _by_value(decision: Told, status: Status) -> str:
    """A choice by the values of the arms, at random or with an eye on costs."""
    values, shares = decision.reward_bounds, decision.probabilities
    idle = max(1.0 - float(shares.sum()), 0.0)
    order = sorted(_ranked(decision, values), key=lambda a: -shares[a])
    if decision.arm is None:
        chance = (
            f"an idle round had probability {amount(idle)}"
            if status in (Status.MIXED, Status.GIVEN)
            else "no arm is due"
        )
        lead = f"No arm is played: {chance}."
    else:
        certain = shares[decision.arm] > 1.0 - EVEN
        how = HOW.get(status, "")
        drawn = "" if certain and how else f"it was drawn with probability {amount(shares[decision.arm])}"
        lead = f"Arm {decision.name!r} is played: {' and '.join(filter(None, (how, drawn)))}."
        lead += f" Its value is {amount(values[decision.arm])}."
    columns = {"value": values}
    if status == Status.RATIO:
        columns["largest cost"] = decision.cost_bounds.max(axis=1)
    table = _table(decision, {**columns, "probability": shares}, {"probability": idle}, order)
    return f"{paragraph(lead)}\n\n{table}"
