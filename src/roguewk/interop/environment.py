"""Worlds as Gymnasium environments; importing this module registers them.

The ids are `roguewk/World-v0` for a world of your own, and one for each world of the catalogue: `roguewk/Paper-v0`,
`roguewk/OneResource-v0`, ... Numba is loaded only when the first episode begins.
"""

import os
from typing import TYPE_CHECKING, Any, Literal, SupportsInt

import numpy as np

from roguewk.interop.onlooker import Onlooker, placed, shown_context
from roguewk.interop.wrong_type import type_checked
from roguewk.kernel.arrays import Vector
from roguewk.problem.context import forbidden_in
from roguewk.problem.errors import InputError, known, whole
from roguewk.world import catalog
from roguewk.world.files import load_world
from roguewk.world.world import World, check_world

try:
    import gymnasium
except ModuleNotFoundError:
    raise InputError("gymnasium is not installed: run pip install 'roguewk[gymnasium]'") from None
from gymnasium.spaces import Box, Dict, Discrete

if TYPE_CHECKING:
    from roguewk.world.game import Game

HISTORY, STATES, AVAILABLE, CONTEXT = "history", "states", "available", "context"
SEEDS = 2**64

Seen = dict[str, Any]


class WorldEnv(gymnasium.Env[Seen, np.int64]):
    """A world to be played by any agent, with exactly the luck and the rules of `simulate`.

    `world` is an rw.World or the path of a world file. An action is an arm; where rounds may be left idle, the last
    action does that. `reset(seed=...)` begins replicate 0 of that seed and every `reset()` after it the next one, so
    the same arms earn and cost what they do in that replicate of `simulate`; `options={"replicate": 7}` chooses one.

    An observation holds only what a decision maker may know, as numbers from 0 to 1: `rounds_left`; `budgets_left`
    (resource,), where there are any; `recency` (arm,), one over the rounds since the last pull, 0 before the first; and
    `believed`, each arm's state within its state set if it had started in the middle of where it may have
    (`known_start`), by the known dynamics. Of a budget that renews, `budgets_left` is of this period, or of all that it
    has brought if that carries over. Where arms come and go, or limits or contexts leave them out, there is also
    `available` (arm,), and an arm that is not available is not pulled: the round passes idle. Where there are contexts,
    `context` has 1 for each of their values that is there and 0 for the others (`contexts` of the problem, in their
    order), and arms that they forbid are not available. `observe="states"` adds the true `states`, for studies of
    planning.

    The round that breaks a budget earns 0 and ends the episode; where idle rounds have an outcome, it earns theirs, of
    this round and of all that would have been left. The horizon ends it too, by `terminated` and not by
    `truncated`: it is part of the problem and the agent sees it coming, so nothing can be earned beyond.
    `info["action_mask"]` has 1 for actions that are available and do not break a budget for sure; when there is none
    and idling is not allowed, all have 1; `action_masks()` has the same as truth values. `info` also holds `costs`
    (resource,), as far as they are told, `round`, `replicate` and `stopped_by`. Wrappers and vectors of environments
    pass `action_masks` on as
    `env.get_wrapper_attr("action_masks")()` and `envs.call("action_masks")`, by which maskable agents find it.

    >>> import gymnasium
    >>> import roguewk.interop.environment
    >>> env = gymnasium.make("roguewk/Paper-v0", budget=100)
    >>> observation, info = env.reset(seed=1)
    >>> observation["budgets_left"], info["action_mask"]
    (array([1., 1., 1.], dtype=float32), array([1, 1, 1], dtype=int8))
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> reward in (0.0, 1.0), info["round"], info["costs"].shape
    (True, 1, (3,))
    """

    action_space: Discrete
    observation_space: Dict
    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        world: World | str | os.PathLike[str],
        observe: Literal["history", "states"] = "history",
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.world = load_world(world) if isinstance(world, str | os.PathLike) else check_world(world)
        known(observe, (HISTORY, STATES), "observation:")
        if render_mode is not None:
            # A TypeError, upon which Stable-Baselines3, which asks for "rgb_array", asks again without it.
            type_checked(known, render_mode, self.metadata["render_modes"], "render_mode")
        if self.world.outcomes.late:
            raise InputError(
                "outcomes of this world are late or missing, and an environment tells them at once: play"
                " world.with_outcomes(rw.Outcomes())"
            )
        problem = self.world.problem
        arms, resources = len(problem.arms), len(problem.resources)
        self.observe, self.render_mode = observe, render_mode
        self.action_space = Discrete(arms + problem.idle)
        self._onlooker = Onlooker(problem)
        sizes = dict(self._onlooker.sizes)
        if problem.limited or any(arm.available is not None or forbidden_in(arm.when) for arm in self.world.arms):
            sizes[AVAILABLE] = arms
        if self.world.contexts:
            sizes[CONTEXT] = sum(len(context.values) for context in self.world.contexts)
        if observe == STATES:
            sizes[STATES] = sum(arm.dimension for arm in self.world.arms)
        self.observation_space = Dict({name: Box(0.0, 1.0, (size,), np.float32) for name, size in sizes.items()})
        rows = [[cost.smallest for cost in row] for row in self.world.costs]
        self._smallest = np.where(problem.hard, -np.inf, np.array(rows).reshape(arms, resources))
        self._replicate = -1
        self._game: Game | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin the next episode, or with a seed its first."""
        from roguewk.world.game import Game

        if seed is not None:
            whole(seed, "seed", 0, SEEDS - 1)
            self._replicate = -1
        super().reset(seed=seed)
        for option in options or {}:
            known(option, ("replicate",), "option of reset:")
        chosen = (options or {}).get("replicate", self._replicate + 1)
        self._replicate = whole(chosen, "replicate", 0)
        self._game = Game(self.world, self.np_random_seed % SEEDS, self._replicate)
        self._onlooker.start()
        self._line = f"replicate {self._replicate}"
        return self._observation(), self._info(np.zeros(len(self.world.problem.told)))

    def step(self, action: SupportsInt) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play a round."""
        problem, game = self.world.problem, self._playing()
        if self._over():
            raise InputError("no episode is under way: call reset()")
        choice = whole(action, "action", 0, int(self.action_space.n) - 1)
        arm = choice if choice < len(problem.arms) else None
        if arm is not None and not self._available()[arm]:
            arm = None
        reward, costs = game.play(arm)
        if game.stopped_by >= 0:
            reward += float(game.live_on()[0].sum())
        self._onlooker.watch(arm)
        name = "idle" if arm is None else problem.arms[arm].name
        self._line = f"round {game.round - 1}: {name}, reward {reward:g}, costs {np.round(costs, 3).tolist()}"
        return self._observation(), reward, self._over(), False, self._info(costs)

    def render(self) -> str | None:
        """The last round in a line, if `render_mode` is "ansi"."""
        return self._line if self.render_mode == "ansi" else None

    def _playing(self) -> "Game":
        if self._game is None:
            raise InputError("no episode is under way: call reset()")
        return self._game

    def _over(self) -> bool:
        return self._stopped_by() != ""

    def _stopped_by(self) -> str:
        game, problem = self._playing(), self.world.problem
        if game.stopped_by >= 0:
            return problem.resources[game.stopped_by].name
        return "horizon" if game.round >= problem.horizon else ""

    def _observation(self) -> Seen:
        game = self._playing()
        seen = self._onlooker.seen(game.left)
        if AVAILABLE in self.observation_space.spaces:
            seen[AVAILABLE] = self._available()
        if CONTEXT in self.observation_space.spaces:
            seen[CONTEXT] = shown_context(self.world.contexts, game.context)
        if self.observe == STATES:
            seen[STATES] = placed(self.world.arms, game.states)
        return {name: values.astype(np.float32) for name, values in seen.items()}

    def _info(self, costs: Vector) -> dict[str, Any]:
        game = self._playing()
        return {
            "action_mask": self._mask(),
            "costs": costs,
            "round": game.round,
            "replicate": game.replicate,
            "stopped_by": self._stopped_by(),
        }

    def action_masks(self) -> Any:
        """(action,) bool: `info["action_mask"]` of this round, by the name under which maskable agents ask for it."""
        return self._mask().astype(np.bool_)

    def _available(self) -> Any:
        """(arm,) bool: which arms are there this round."""
        listed = self._playing().available()
        return np.ones(len(self.world.arms), dtype=np.bool_) if listed is None else np.array(listed)

    def _mask(self) -> Any:
        """(action,) int8."""
        from roguewk.problem.ledger import limit_of

        after = self._playing().spent + self._smallest
        legal = (after <= limit_of(self.world.problem.budgets)).all(axis=1) & self._available()
        mask = np.ones(int(self.action_space.n), dtype=np.int8)
        if legal.any() or self.world.problem.idle:
            mask[: legal.size] = legal
        return mask


class CatalogEnv(WorldEnv):
    """A world of the catalogue; `options` are those of its function.

    >>> CatalogEnv("one_resource", horizon=50).world.problem.horizon
    50
    """

    def __init__(
        self,
        name: str,
        observe: Literal["history", "states"] = "history",
        render_mode: Literal["ansi"] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(catalog.get(name, **options), observe, render_mode)


def register() -> list[str]:
    """Make the ids known to Gymnasium, once, and list them.

    >>> register()[:3]
    ['roguewk/World-v0', 'roguewk/Paper-v0', 'roguewk/OneResource-v0']
    """
    entries: dict[str, tuple[type[WorldEnv], dict[str, str]]] = {"roguewk/World-v0": (WorldEnv, {})}
    for name in catalog.names():
        entries[f"roguewk/{name.title().replace('_', '')}-v0"] = (CatalogEnv, {"name": name})
    for id_, (kind, given) in entries.items():
        if id_ not in gymnasium.registry:
            gymnasium.register(id_, f"{__name__}:{kind.__name__}", kwargs=given)
    return list(entries)


register()
