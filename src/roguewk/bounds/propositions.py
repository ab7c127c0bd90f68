"""The paper's propositions and its regret bound on a world: the number, whether it holds there, and why."""

import math

from roguewk.bounds.assumptions import Report
from roguewk.bounds.quantities import Numbers, Row
from roguewk.bounds.reachable import Schedule
from roguewk.bounds.upper import Bound

NEVER = "No contraction maps X onto X, as its proof asks"
UNSTABLE = "Needs L_h < 1 (assumption 5): there is no such number here."


def proposition_rows(n: Numbers, report: Report, schedule: Schedule | None, bound: Bound | None) -> list[Row]:
    """Propositions 1 to 3, the regret bound, and the growth of OPT that turns it into an expectation."""
    first, second, third = _first(n, schedule, bound), _second(n), _third(n, report)
    return [first, second, third, _regret(n, report, (first, second, third), bound), _growth(n, schedule, bound)]


def _above(earned: float, value: float) -> bool:
    """Whether more is earned, by more than rounding."""
    return earned > value + 1e-9 * max(1.0, abs(value))


def _beaten(value: float, n: Numbers, schedule: Schedule | None) -> str:
    """How the schedule contradicts that nobody earns more than `value`; nothing if it does not."""
    if schedule is None or not _above(schedule.reward, value):
        return ""
    if _above(schedule.assured, value):
        return f"playing the schedule below expects at least {schedule.assured:,.2f}"
    if n.idle or schedule.arms.size == n.rounds:
        return f"the schedule below is a feasible point of NLP and is worth {schedule.reward:,.2f}"
    return ""


def _first(n: Numbers, schedule: Schedule | None, bound: Bound | None) -> Row:
    value = n.rounds * n.lp.value + n.drift
    beaten = _beaten(value, n, schedule)
    holds, why = None, f"{NEVER}. Nothing found contradicts it here, nothing shows it."
    if schedule is not None and _above(schedule.reward, value):
        why = f"{NEVER}. At mean costs the schedule below is worth more; random costs leave it undecided."
    if math.isinf(value):
        holds, why = False, UNSTABLE
    elif beaten:
        holds, why = False, f"{NEVER}, and here it fails: {beaten}."
    elif bound is not None and bound.value <= value:
        holds = True
        why = f"{NEVER}. As a bound on what policies earn it holds here: the certified bound is lower."
    if not n.payable:
        why += " LP(g0, C) is read with idle rounds."
    formula = "NLP(x0, T, C) <= T LP(g0, C) + L_g diam / (1 - L_h)"
    return Row("Proposition 1: what can be earned", formula, value, holds, why)


def _second(n: Numbers) -> Row:
    why = "Its proof leaves out the m first pulls and takes every round's LP as feasible, "
    why += "which it is." if n.payable else "but the budgets cannot pay for a pull in every round."
    if n.resources == 0:
        why = "There is no resource to run out of."
    elif n.unplayed >= n.rounds:
        why += " It says nothing here: T - tau is at most T anyway."
    formula = "T - tau <= (1 + 4 sqrt(m) + sqrt(l/2)) sqrt(T l/2) / b, l = log(12 m d T^2)"
    return Row("Proposition 2: rounds not played", formula, n.unplayed, n.payable, why)


def _third(n: Numbers, report: Report) -> Row:
    value = n.noise + n.luck + n.drift
    inside = all(check.holds for check in report.checks if check.label == "X")
    narrow = n.spread <= n.L_g * n.diameter * (1 + 1e-9)
    why = "Needs L_h < 1, states that stay in X, and mean rewards within L_g diam of one another; all hold."
    if math.isinf(value):
        why = UNSTABLE
    elif not inside:
        why = "Needs states that stay in X (check X), and some can leave it."
    elif not narrow:
        why = f"Needs mean rewards within L_g diam = {n.L_g * n.diameter:.3g} of one another; they span {n.spread:.3g}."
    formula = "sqrt(2 T sigma^2 log(12 T)) + (1/(1 - L_h) + sqrt(T/2 log(12 T))) L_g diam"
    return Row("Proposition 3: |rewards - LP values|", formula, value, inside and narrow and not math.isinf(value), why)


def _regret(n: Numbers, report: Report, rests_on: tuple[Row, Row, Row], bound: Bound | None) -> Row:
    value = (n.unplayed + 1) * n.lp.value + 2 * n.drift + n.luck + n.noise
    ceiling = bound.value if bound is not None else n.rounds * n.largest
    failing = [row.name.split(":")[0] for row in rests_on if row.holds is False]
    proof = "Its proof bounds the LP values from above where a bound from below is needed"
    holds, why = None, f"{proof}; nothing here decides it."
    if failing:
        holds, why = False, f"It rests on {' and '.join(failing)}. {proof}."
    if any(check.label == "K" and not check.holds for check in report.checks):
        holds, why = False, "The dynamics that policies are told are not the true ones (check K)."
    if math.isinf(value):
        holds, why = False, UNSTABLE
    elif value >= ceiling:
        holds = True
        why = f"True but empty: nobody can earn more than {ceiling:,.2f}, so no regret is larger."
    formula = "Prop. 2 x LP(g0, C) + Prop. 3 + L_g diam / (1 - L_h) + LP(g0, C)"
    return Row("Theorem 2: regret of ROGUEwK-UCB", formula, value, holds, why)


def _growth(n: Numbers, schedule: Schedule | None, bound: Bound | None) -> Row:
    value = n.rounds * n.L_g * n.diameter
    holds, why = None, "Nothing found decides it."
    if schedule is not None and _above(schedule.assured, value):
        holds, why = False, f"Playing the schedule below expects at least {schedule.assured:,.2f}."
    elif (bound is not None and bound.value <= value) or n.largest * n.rounds <= value:
        holds, why = True, "It turns the regret's high probability into an expectation, and holds here."
    return Row("Growth of OPT(T)", "T L_g diam", value, holds, why)
