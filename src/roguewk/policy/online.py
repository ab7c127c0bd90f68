"""A policy that decides round by round for a caller who does the pulling."""

import copy
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.estimate.dynamics.summary import glimpse_of
from roguewk.kernel.arrays import Vector
from roguewk.part.room import LATEST
from roguewk.part.status import BY_CODE, Status
from roguewk.part.verbs import prune
from roguewk.policy.amending import as_corrected, check_amendable, check_correction, check_told, correct, corrections
from roguewk.policy.beliefs import beliefs_frame
from roguewk.policy.decision import Decision
from roguewk.policy.left_out import left_out, without
from roguewk.policy.machine import IDLE, TAKE_BACK, Parts, Past, compile_machine
from roguewk.policy.open_pull import LATER, WAITING, Later, OpenPull, Pending, idle_round, lessons
from roguewk.policy.outcome import Available, Awaited, Said, awaited, possible, tells_nothing, waiting_round, with_told
from roguewk.policy.recipe import Recipe
from roguewk.policy.saved import Saved, identity_of, state_to_bytes, state_to_data
from roguewk.policy.steps import CLOSED, OWN_CHOICE, PREVIEW, decide_online, learn_online, skip_online, weigh_online
from roguewk.policy.templates import Template
from roguewk.problem.errors import InputError, shown, truth_value, whole
from roguewk.problem.plain import problem_to_data
from roguewk.problem.problem import Problem

if TYPE_CHECKING:
    import pandas as pd

ROUNDS_AT_ONCE = 10_000


class Policy:
    """Decides with `select`, learns with `update`; made by `make_policy`.

    Updates may come late, in parts or in any order: states move with decisions, and each reward finds its own round.
    Until its costs have come, a pull is planned with what it is expected to cost, and the most that it may cost is
    reserved. A decision that was not carried out is taken back with `cancel`, one of which nothing will ever be known
    given up with `forget`, and what was told wrong corrected with `amend`.
    Several threads may use one policy: each call is done before the next begins.

    >>> import roguewk as rw
    >>> policy = rw.make_policy("roguewk-ucb", rw.catalog.paper().problem, seed=1)
    >>> decision = policy.select()
    >>> decision.arm, decision.name, decision.status
    (0, 'arm 0', 'first pull of this arm')
    >>> policy.update(decision, reward=1, costs=[0.15, 0.7, 0.4])
    >>> policy.round
    1
    """

    def __init__(self, template: Template, seed: int, replicate: int = 0) -> None:
        if not isinstance(template, Template):
            raise InputError(f"the template is {shown(template)}: make policies with rw.make_policy")
        compile_machine(template.arena, f"policy {template.recipe.name!r}")
        self._template = template
        self.seed = seed
        self.replicate = replicate  # whose luck it draws with, as in the simulator
        self.open_pulls: Pending = {}  # pulls of which something has not come, by their rounds
        self._untold = (WAITING,) * len(template.setting.resources)
        self._arena = template.arena.clone()
        self._lock = threading.Lock()
        self._key = np.uint64(seed)
        block, slip = self._arena.block, template.slip
        self._figures = block[slip.figures]
        self._available = block[slip.available].view(np.bool_)[: len(template.setting.arms)]
        # One number at a time is three times as fast through these.
        self._taken = memoryview(block[slip.taken])
        self._clock = memoryview(block[slip.clock].view(np.int64))

    @property
    def recipe(self) -> Recipe:
        """What it is made of."""
        return self._template.recipe

    @property
    def problem(self) -> Problem:
        """What it was told."""
        return self._template.problem

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All of its parameters."""
        return copy.deepcopy(self._template.parameters)

    @property
    def round(self) -> int:
        """The next round to be decided."""
        return self._clock[0]

    @property
    def spent(self) -> list[float]:
        """(resource,) what is known to be spent, in your units; see `reserved` for pulls whose costs have not come."""
        return (self._arena.block[self._template.slip.spent] * self._template.setting.units).tolist()

    @property
    def reserved(self) -> list[float]:
        """(resource,) what pulls whose costs have not come may cost at the most, in your units.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> policy.select().arm, policy.reserved
        (0, [1.0, 1.0, 1.0])
        """
        with self._lock:
            self._weigh()
            return (self._arena.part.desk.ledger.reserved * self._template.setting.units).tolist()

    @property
    def pending(self) -> dict[int, Awaited]:
        """By round, the pulls of which something has not come, as you told them; see `update` and `forget`."""
        return {round_: awaited(self._template, pull) for round_, pull in dict(self.open_pulls).items()}

    @property
    def parts(self) -> Parts:
        """Its parts; their arrays are those it works with."""
        return self._arena.part

    def beliefs(self) -> "pd.DataFrame":
        """What is believed of the arms' dynamics, if they are learned: a row per arm, in the units of `fit.frame()`.

        >>> import roguewk as rw
        >>> problem = rw.Problem([rw.unknown_arm("tip", half_life={"about": 5, "between": [1, 30]})], [], 100)
        >>> float(rw.make_policy("roguewk-plan", problem).beliefs()["half_life_high"][0].round())
        33.0
        """
        with self._lock:
            return beliefs_frame(self.recipe.name, self.problem, glimpse_of(self.parts.rewards))

    @property
    def learned(self) -> Vector:
        """(word,) all that it has learned: its state."""
        return self._arena.learned

    @cached_property
    def identity(self) -> str:
        """Whose decisions its decisions are: the same for one that is replayed with the same seed."""
        made = self._template
        return identity_of(made.recipe.name, made.parameters, made.digest, self.seed, self.replicate)

    def select(self, available: Available = None, context: Said = None) -> Decision:
        """Decide this round and let it pass.

        `available` lists the arms that are possible now, all by default; `context` says the values of contexts that are
        drawn, as one value, a list of them or by name. Those of cycles follow from the round.

        >>> import roguewk as rw
        >>> walk = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2, when={"driving": False})
        >>> place = rw.Context("place", ["home", "driving"])
        >>> policy = rw.make_policy("roguewk-plan", rw.Problem([walk], [], 100, idle=True, contexts=[place]))
        >>> policy.select(context="home").name, policy.select(context="driving").name
        ('walk', None)
        """
        told = possible(self._template, available, context)
        with self._lock:
            return self._decided(OWN_CHOICE, *told)

    def preview(self, available: Available = None, context: Said = None) -> Decision:
        """The decision that `select` would return; nothing changes.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("thompson-beta", rw.catalog.paper().problem)
        >>> policy.preview().arm == policy.select().arm, policy.round
        (True, 1)
        """
        told = possible(self._template, available, context, "preview({})")
        with self._lock:
            before = self._arena.learned.copy()
            decision = self._decided(PREVIEW, *told)
            self._arena.learned[:] = before
            return decision

    def follow(self, arm: int | str | None, context: Said = None) -> int:
        """Let a round pass in which someone else chose this arm, limits or not, or None: nothing; its round.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> policy.update(policy.follow("arm 1"), reward=1, costs=[0.1, 0.2, 0.1])
        >>> policy.round
        1
        """
        if arm is None:
            with self._lock:
                self._skip(1)
                self._await_idle(self.round - 1)
                return self.round - 1
        told = self.problem.arm_index(arm)
        known = possible(self._template, [told], context, "follow(arm, {})")
        with self._lock:
            decision = self._decided(told, *known)
        if decision.arm is None:
            why = decision.status.removesuffix(": an idle round")
            raise InputError(
                f"arm {self._template.setting.arms[told]!r} cannot have been pulled ({why}): begin a new game"
            )
        return decision.round

    def skip(self, rounds: int = 1) -> None:
        """Let rounds pass in which nobody decides and nothing is done, such as a holiday: arms recover.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("roguewk-plan", rw.catalog.paper().problem)
        >>> policy.skip(7)
        >>> policy.round
        7
        """
        with self._lock:
            self._skip(whole(rounds, "rounds to skip", 0))

    def update(
        self,
        decision: Decision | int,
        reward: float | Later | None = LATER,
        costs: Sequence[float] | Mapping[str, float] | Vector | Later | None = LATER,
    ) -> None:
        """Take in what a decision brought: costs in resource order or by name, in your units.

        What is not known yet is left out and told later; what will never be known is None. A decision may also be given
        by its round, which is all that a log needs to keep.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("roguewk-plan", rw.catalog.paper().problem)
        >>> decision = policy.select()
        >>> policy.update(decision, costs=[0.15, 0.7, 0.4])  # at once
        >>> policy.update(decision, reward=1)  # a week later
        >>> policy.pending
        {}
        """
        with self._lock:
            if tells_nothing(self.problem, decision, (self.open_pulls, self.identity, self.round), (reward, costs)):
                return
            round_ = waiting_round(decision, self.open_pulls, self.identity, self._template.learns_idle)
            pull = self.open_pulls[round_]
            told = with_told(self._template, round_, pull, (reward, costs), self._taken)
            learned = lessons(pull, told)
            if told.waits_for_reward or told.waits_for_costs:
                self.open_pulls[round_] = told
            else:
                del self.open_pulls[round_]
            if learned:
                learn_online(self._arena, learned, Past(round_, told.arm, told.reward), told.memo)

    def forget(self, decision: Decision | int) -> None:
        """Give up a decision of which nothing more will ever be known; it is taken to cost what its arm does.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> policy.forget(policy.select())
        >>> policy.pending
        {}
        """
        with self._lock:
            round_ = waiting_round(decision, self.open_pulls, self.identity, self._template.learns_idle)
            del self.open_pulls[round_]  # the ledger has it open, and goes on reserving for it

    def cancel(self, decision: Decision | int) -> None:
        """Take back a decision that was not carried out: the arm was not pulled, and nothing was spent.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> decision = policy.select()
        >>> policy.cancel(decision)
        >>> policy.pending
        {}
        >>> policy.select().arm == decision.arm
        True
        """
        with self._lock:
            round_ = waiting_round(decision, self.open_pulls, self.identity, self._template.learns_idle)
            pull = self.open_pulls[round_]
            if pull.arm == IDLE:
                raise InputError(f"round {round_} was left idle: only a pull that was not carried out is cancelled")
            if (pull.knows_costs and pull.costs) or not pull.waits_for_reward:
                raise InputError(f"round {round_} has costs or a reward: only what was not carried out is cancelled")
            del self.open_pulls[round_]
            learn_online(self._arena, TAKE_BACK, Past(round_, pull.arm, 0.0), pull.memo)

    def amend(
        self, decision: Decision, *, reward: tuple[float, float] | None = None, costs: tuple[Any, Any] | None = None
    ) -> None:
        """Correct what was told of a decision: the reward or the costs as they were told, and as they are.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("roguewk-plan", rw.catalog.paper().problem)
        >>> decision = policy.select()
        >>> policy.update(decision, reward=0, costs=[0.1, 0.2, 0.1])  # no answer so far, counted as none
        >>> policy.amend(decision, reward=(0, 1), costs=([0.1, 0.2, 0.1], [0.1, 0.3, 0.1]))
        >>> policy.spent
        [0.1, 0.3, 0.1]
        """
        arm = check_correction(decision, self.identity, reward, costs)
        with self._lock:
            pull = self.open_pulls.get(decision.round)
            if decision.round >= self.round:
                raise InputError(f"round {decision.round} was not decided yet: give what select() returned, no preview")
            check_amendable(self.parts, self.recipe.name, reward=reward is not None, costs=costs is not None)
            news = corrections(self._template, arm, reward, costs)
            if pull is not None:
                check_told(decision.round, pull, *news)
                self.open_pulls[decision.round] = as_corrected(pull, *news)
            correct(self.parts, arm, decision, *news)

    def state(self, problem: bool = True) -> dict[str, Any]:
        """Everything needed to go on later, as plain data for JSON; see `restore_policy`.

        Without the problem it is smaller: `restore_policy` must be given it then.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> "problem" in policy.state(), "problem" in policy.state(problem=False)
        (True, False)
        """
        custom = any(arm.custom for arm in self.problem.arms)
        told = problem_to_data(self.problem) if truth_value(problem, "problem") and not custom else None
        with self._lock:
            return state_to_data(self._saved(told), self.parts)

    def to_bytes(self) -> bytes:
        """The state without the problem in its smallest form, for stores; see `restore_policy`.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("roguewk-ucb", rw.catalog.paper().problem)
        >>> len(policy.to_bytes()) < 1200
        True
        """
        with self._lock:
            return state_to_bytes(self._saved(None))

    def __repr__(self) -> str:
        return f"<policy {self.recipe.name!r} for {len(self._template.setting.arms)} arms, round {self.round}>"

    def _skip(self, count: int) -> None:
        left = LATEST if self.parameters["doubling"] else self.problem.horizon - self.round
        if count > left:
            raise InputError(f"{shown(count)} rounds cannot pass, as {left} are left: skip no more than these")
        while count > 0:
            now = min(count, ROUNDS_AT_ONCE)  # so that Ctrl-C is prompt
            code, resource = skip_online(self._arena, self._key, self.replicate, now)
            if code >= 0:
                raise InputError(f"{self._sentence(BY_CODE[code], resource).partition(':')[0]}: begin a new game")
            count -= now

    def _await_idle(self, round_: int) -> None:
        if self._template.learns_idle:
            self.open_pulls[round_] = idle_round(len(self._untold))

    def _saved(self, problem: Any) -> Saved:
        for part in self.parts:
            prune(part)
        return self._template.saved(problem, self.seed, self.replicate, dict(self.open_pulls), self._arena.learned)

    def _decided(self, told: int, listed: Any, draw: int) -> Decision:
        """Decide a round, with an arm that is told for certain, if one is; it passes, except in a preview."""
        if listed is not None:
            self._available[:] = listed
        round_, given = self._clock[0], self._template.surroundings
        occasion = -1 if given is None else given.occasion(round_, draw)
        kept_out = left_out(self.problem, self._arena, told, given, occasion)
        arm, code, resource, memo = decide_online(self._arena, self._key, self.replicate, told, listed is None, draw)
        if arm == CLOSED:
            return self._over(BY_CODE[code], resource)
        if arm >= 0 and told != PREVIEW:
            self.open_pulls[round_] = OpenPull(arm, memo, WAITING, self._untold)
        elif told != PREVIEW:
            self._await_idle(round_)
        status = BY_CODE[code]
        sentence = status.sentence if status is not Status.RESERVED else self._sentence(status, resource)
        return self._decision(
            arm=arm if arm >= 0 else None,
            round=round_,
            status=sentence,
            code=status,
            available=without(kept_out, listed, self.problem),
            left_out=kept_out,
            occasion=occasion,
            outlook=self._template.outlook(self.parts, status),
            memo=memo,
        )

    def _over(self, status: Status, resource: int) -> Decision:
        self._weigh()
        return self._decision(arm=None, round=self.round, status=self._sentence(status, resource), code=status)

    def _decision(self, **found: Any) -> Decision:
        return Decision(**found, identity=self.identity, figures=self._figures.copy(), setting=self._template.setting)

    def _weigh(self) -> None:
        """Work out what each arm is worth; nothing is learned."""
        before = self._arena.learned.copy()
        weigh_online(self._arena, self._key, self.replicate)
        self._arena.learned[:] = before

    def _sentence(self, status: Status, resource: int) -> str:
        name = self._template.setting.resources[resource] if resource >= 0 else ""
        return status.sentence.format(resource=name, horizon=self.problem.horizon)
