"""A policy that decides round by round for a caller who does the pulling."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.planner import Planner
from roguewk.kernel.address import address_of, call_for_nothing, call_for_whole
from roguewk.kernel.arena import clone_in_arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import Word
from roguewk.part.desk import Desk
from roguewk.part.status import PLANNED, SENTENCES, WAITING
from roguewk.policy.decision import Decision, Outlook, Setting, outlook_of
from roguewk.policy.machine import decide, learn, pass_round
from roguewk.policy.recipe import Recipe
from roguewk.problem.errors import InputError, number
from roguewk.problem.ledger import SLACK
from roguewk.problem.problem import Problem

Memo = tuple[float, float, float, float]
OWN_CHOICE = -1


class Session(NamedTuple):
    """A policy in motion: the addresses of its parts and of what can be done with them, and its desk."""

    parts: int
    decide: int
    pass_round: int
    learn: int
    desk: Desk


def _open(parts: Handle) -> Handle:
    word = np.uint64(0)
    session = Session(
        parts.address,
        address_of(decide, parts, word, 0),
        address_of(pass_round, parts, 0, word, 0),
        address_of(learn, parts, 0, 0, 0.0),
        parts.part.desk,
    )
    return Handle(session)


class Policy:
    """Decides with `select`, learns with `update`; made by `make_policy`.

    Updates may come late, in any order, or never: states move with decisions, and each reward finds its own round.

    >>> import roguewk as rw
    >>> policy = rw.make_policy("roguewk-ucb", rw.catalog.paper().problem, seed=1)
    >>> decision = policy.select()
    >>> decision.arm, decision.name, decision.status
    (0, 'arm 0', 'first pull of this arm')
    >>> policy.update(decision, reward=1, costs=[0.15, 0.7, 0.4])
    >>> policy.round
    1
    """

    def __init__(
        self, recipe: Recipe, problem: Problem, seed: int, parameters: Mapping[str, Any], replicate: int = 0
    ) -> None:
        self.recipe = recipe
        self.problem = problem
        self.seed = seed
        self.parameters = dict(parameters)
        self.replicate = replicate  # whose luck it draws with, as in the simulator
        self.identity = secrets.token_hex(8)
        self.spent = [0.0] * len(problem.resources)  # in the user's units
        self.pending: dict[int, tuple[int, Memo]] = {}  # round -> arm and memo
        self.parts = recipe.parts(problem, self.parameters)
        self._key = np.uint64(seed)
        self._names = [arm.name for arm in problem.arms]
        self._all = np.ones(len(problem.arms), dtype=np.bool_)
        self._scales = problem.scales
        self._units = self._scales.tolist()
        self._own_units = bool((self._scales != 1).any())
        self._resources = [resource.name for resource in problem.resources]
        self._setting = Setting(tuple(self._names), tuple(self._resources), problem.idle)
        allocation = getattr(self.parts.allocation, "part", None)  # a planner is behind a handle
        self._planner = allocation if isinstance(allocation, Planner) else None
        self._limits = [resource.largest_cost * (1 + 1e-9) for resource in problem.resources]
        self._binary = [arm.family == "bernoulli" for arm in problem.arms]
        with compiling(f"policy {recipe.name!r}"):
            self._handle = Handle(self.parts)
            self._session = _open(self._handle)
            spare = Handle(clone_in_arena(self.parts).part)
            session = _open(spare)
            _select(session, self._key, replicate, OWN_CHOICE)
            _learn(session, 0, 0, (0.0, 0.0, 0.0, 0.0), 0.0)
        self.round = 0  # the next round to be decided

    def select(self, available: Sequence[int | str | bool] | None = None) -> Decision:
        """Decide this round and let it pass; `available` lists the arms that are possible now, all by default."""
        listed = None if available is None else self._mask(available)
        over = self._over()
        if over:
            self.parts.desk.shares[:] = 0.0
            self.parts.desk.prices[:] = 0.0
            return self._decision(None, over, None, None)
        self.parts.desk.available[:] = self._all if listed is None else listed
        arm, status, memo = _select(self._session, self._key, self.replicate, OWN_CHOICE)
        if arm >= 0:
            self.pending[self.round] = (arm, memo)
        # In other rounds a planner does not look, and its notes are old.
        outlook = None
        if self._planner is not None and status in (PLANNED, WAITING):
            outlook = outlook_of(self._planner)
        decision = self._decision(arm if arm >= 0 else None, SENTENCES[status], listed, outlook)
        self.round += 1
        return decision

    def follow(self, arm: int | str) -> int:
        """Let a round pass in which someone else chose this arm, so for certain; the round, to give to `update`.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> policy.update(policy.follow("arm 1"), reward=1, costs=[0.1, 0.2, 0.1])
        >>> policy.round
        1
        """
        told, over = self.problem.arm_index(arm), self._over()
        if over:
            name = self.problem.arms[told].name
            raise InputError(f"arm {name!r} cannot have been pulled ({over}): begin a new game")
        self.parts.desk.available[:] = self._mask([told])
        passed = self.round
        _, _, memo = _select(self._session, self._key, self.replicate, told)
        self.pending[passed] = (told, memo)
        self.round += 1
        return passed

    def update(
        self,
        decision: Decision | int,
        reward: float,
        costs: Sequence[float] | Mapping[str, float] | Vector | None = None,
    ) -> None:
        """Take in what a decision brought: costs in resource order or by name, in your units.

        A decision may also be given by its round, which is all that a log needs to keep.
        """
        round_ = self._waiting(decision)
        arm, memo = self.pending[round_]
        value = float(reward) if type(reward) in (int, float) and reward in (0, 1) else None
        if value is None or not self._binary[arm]:
            value = self.problem.check_reward(arm, reward)
        taken = self.parts.desk.taken
        for j, cost in enumerate(self._costs(arm, costs)):
            taken[j] = cost / self._units[j]
            self.spent[j] += cost
        del self.pending[round_]
        _learn(self._session, round_, arm, memo, value)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on later, as plain data for JSON; see `restore_policy`."""
        from roguewk.policy.saved import policy_state  # it needs this module

        return policy_state(self)

    def __repr__(self) -> str:
        return f"<policy {self.recipe.name!r} for {len(self._names)} arms, round {self.round}>"

    def _over(self) -> str:
        if self.round >= self.problem.horizon and not self.parameters["doubling"]:
            return f"the horizon of {self.problem.horizon} rounds is over: an idle round"
        for resource, spent in zip(self.problem.resources, self.spent, strict=True):
            if spent > resource.budget * (1 + SLACK):
                return f"the budget of {resource.name!r} is spent: an idle round"
        return ""

    def _decision(self, arm: int | None, status: str, available: Any, outlook: Outlook | None) -> Decision:
        desk = self.parts.desk
        return Decision(
            arm,
            None if arm is None else self._names[arm],
            desk.shares.copy(),
            desk.reward_bounds.copy(),
            desk.cost_bounds * self._scales if self._own_units else desk.cost_bounds.copy(),
            desk.prices / self._scales if self._own_units else desk.prices.copy(),
            self.round,
            status,
            self.identity,
            available,
            outlook,
            self._setting,
        )

    def _mask(self, available: Sequence[int | str | bool]) -> Any:
        if isinstance(available, str | Mapping):
            raise InputError(f"available is {available!r}: give a list of arms")
        try:
            listed = list(available)
        except TypeError:
            raise InputError(f"available is {available!r}: give a list of arms") from None
        if listed and all(isinstance(each, bool | np.bool_) for each in listed):
            if len(listed) != len(self._names):
                raise InputError(f"available has {len(listed)} flags for {len(self._names)} arms: give one each")
            return np.array(listed, dtype=np.bool_)
        mask = np.zeros(len(self._names), dtype=np.bool_)
        for each in listed:
            mask[self.problem.arm_index(each)] = True
        return mask

    def _waiting(self, decision: Decision | int) -> int:
        """The round of a decision that waits for its update."""
        if isinstance(decision, Decision):
            if decision.policy != self.identity:
                raise InputError(f"the decision of round {decision.round} is another policy's: update that one")
            if decision.arm is None:
                raise InputError(f"round {decision.round} was left idle: there is nothing to update")
            if decision.round not in self.pending:
                raise InputError(f"the decision of round {decision.round} was updated before: update each one once")
            return decision.round
        if isinstance(decision, bool) or not hasattr(decision, "__index__"):
            raise InputError(f"the decision is {decision!r}: give what select() returned, or its round")
        round_ = int(decision.__index__())
        if round_ not in self.pending:
            raise InputError(f"round {round_} has no pull that waits for an update: give the round of an open decision")
        return round_

    def _costs(self, arm: int, costs: Any) -> list[float]:
        """(resource,) checked, in the user's units."""
        if costs is None and not self._limits:
            return []
        if isinstance(costs, Mapping):
            if set(costs) != set(self._resources):
                raise InputError(
                    f"costs name {', '.join(map(repr, costs))}: name each of {', '.join(map(repr, self._resources))}"
                )
            costs = [costs[name] for name in self._resources]
        try:
            values = [] if costs is None else list(costs)
        except TypeError:
            raise InputError(f"costs are {costs!r}: give a list, or a dict by resource") from None
        if len(values) != len(self._limits):
            raise InputError(f"{len(values)} costs for {len(self._limits)} resources: give one each, in their order")
        for j, (value, limit) in enumerate(zip(values, self._limits, strict=True)):
            if type(value) is not float or not 0 <= value <= limit:
                values[j] = self._cost(arm, j, value)
        return values

    def _cost(self, arm: int, j: int, value: Any) -> float:
        resource = self.problem.resources[j]
        what = f"cost of arm {self._names[arm]!r} on {resource.name!r}"
        result = number(value, what)
        if not 0 <= result <= self._limits[j]:
            remedy = "give a number of at least 0" if result < 0 else "set that resource's largest_cost"
            raise InputError(f"{what} is {value!r}, outside [0, {resource.largest_cost:g}]: {remedy}")
        return result


@compiled
def _select(session: Handle, seed: Word, replicate: int, told: int) -> tuple[int, int, Memo]:
    """The arm, the status and the memo of the next round, which passes; with an arm that is told for certain."""
    open_: Session = held(session)
    desk = open_.desk
    arm = call_for_whole(open_.decide, (open_.parts, seed, replicate))  # also begins epochs, plans and the like
    if told != OWN_CHOICE:
        arm = told
        for a in range(desk.shares.size):
            desk.shares[a] = 1.0 if a == told else 0.0
    call_for_nothing(open_.pass_round, (open_.parts, arm, seed, replicate))
    memo = desk.memo
    return arm, desk.clock[0].status, (memo[0], memo[1], memo[2], memo[3])


@compiled
def _learn(session: Handle, round_: int, arm: int, note: Memo, reward: float) -> None:
    open_: Session = held(session)
    for i in range(len(note)):
        open_.desk.memo[i] = note[i]
    call_for_nothing(open_.learn, (open_.parts, round_, arm, reward))
