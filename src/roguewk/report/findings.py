"""All that the report of a fit shows: curves of the arms, and checks of the model."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from roguewk.learn.checks.account import Account, take_account
from roguewk.learn.checks.again import Again, Curve, wear_and_recovery, works_again
from roguewk.learn.checks.bins import Group, by_expected, by_gap, by_uses, first_uses
from roguewk.learn.checks.residuals import Echo, Sums, Trend, by_subject, echo, trend
from roguewk.learn.checks.simulated import Place, among_simulated
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.verdict import Verdict

MOST_ARMS = 12  # in pictures: those with the most pulls
STEPS = 4
UNTOLD = (Verdict.SOMEHOW, Verdict.IF_RESTED_SOMEHOW)  # wear is seen, but not how fast it recovers

Progress = Callable[[int, int], None]  # work done and to do


@dataclass(frozen=True)
class Against:
    """The pulls of an arm beside what was expected of them."""

    first: Group | None  # of those that no use was before
    gaps: list[Group]  # by the time since the last use
    uses: list[Group]  # by the number of uses of late


@dataclass(frozen=True, eq=False)
class Findings:
    """What is told and shown of a fit and its log."""

    fit: Fit
    log: LoggedRounds
    account: Account
    shown: tuple[int, ...]  # the arms in pictures, in their order
    curves: dict[int, Curve]  # by arm; none of those of which the log tells nothing
    again: dict[int, Again]  # by arm; of those of which wear is seen and recovery can be told
    against: dict[int, Against]  # by arm
    calibration: list[Group]
    trend: Trend
    echo: Echo
    sums: Sums
    places: list[Place]


def _usual_gaps(account: Account) -> list[float]:
    """The median time between two uses of each arm by a subject; one where none was used twice."""
    own = [account.gap[(account.arm == a) & (account.gap > 0)] for a in range(len(account.fit.arms))]
    return [float(np.median(gaps)) if gaps.size else 1.0 for gaps in own]


def look_into(fit: Fit, log: LoggedRounds, progress: Progress | None = None) -> Findings:
    """Lay the fit beside its log and look at it from all sides."""
    tell = progress or (lambda done, total: None)
    tell(0, STEPS)
    account = take_account(fit, log)
    tell(1, STEPS)
    arms, gaps, longest = range(len(fit.arms)), _usual_gaps(account), float(account.elapsed.max(initial=1.0))
    shown = tuple(sorted(sorted(arms, key=lambda a: -fit.arms[a].pulls)[:MOST_ARMS]))
    curves = {a: wear_and_recovery(fit, a, gaps[a], longest) for a in shown}
    again = {a: works_again(fit, a, gaps[a]) for a in arms}
    tell(2, STEPS)
    against = {a: Against(first_uses(account, a), by_gap(account, a), by_uses(account, a)) for a in shown}
    tell(3, STEPS)
    found = Findings(
        fit=fit,
        log=log,
        account=account,
        shown=shown,
        curves={a: curve for a, curve in curves.items() if curve is not None},
        again={a: times for a, times in again.items() if times is not None and fit.arms[a].verdict not in UNTOLD},
        against={a: groups for a, groups in against.items() if groups.uses},
        calibration=by_expected(account),
        trend=trend(account),
        echo=echo(account),
        sums=by_subject(account),
        places=among_simulated(account),
    )
    tell(STEPS, STEPS)
    return found
