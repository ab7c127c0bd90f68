"""Outcomes on their way to a policy that is played in Python, with the luck that they have in the engine."""

from collections import defaultdict
from typing import Any, NamedTuple

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.world.fate import NEVER_DUE, build_terms, fate_of
from roguewk.world.game import Game


class News(NamedTuple):
    """What has come of a decision: `told` is what to tell of it now, by the names that `Policy.update` has for it."""

    decision: Any
    told: dict[str, Any]
    complete: bool  # whether reward and costs are both known by now, and were not before
    reward: float
    costs: Vector


class Mailbox:
    """Keeps what the pulls of a game brought until it is due.

    >>> import roguewk as rw
    >>> game = Game(rw.catalog.paper().with_outcomes(rw.Outcomes(delay=1)), seed=1)
    >>> mailbox = Mailbox(game)
    >>> mailbox.send("the first", *game.play(0))
    >>> [len(mailbox.open(t)) for t in (1, 2)]
    [0, 1]
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._terms = build_terms(game.world.outcomes)
        self._boxes: defaultdict[int, list[tuple[Any, Any, float, Vector]]] = defaultdict(list)

    def send(self, decision: Any, reward: float, costs: Vector) -> None:
        """Send what the pull of the round just played brought."""
        with compiling("the world"):
            fate = fate_of(self._terms, self._game.last)
        letter = decision, fate, reward, costs
        for due in {fate.reward_due, fate.costs_due} - {NEVER_DUE}:
            self._boxes[due].append(letter)

    def open(self, round_: int) -> list[News]:
        """What is due before this round is decided; the last letter first, as in the engine."""
        news = []
        for decision, fate, reward, costs in reversed(self._boxes.pop(round_, [])):
            told: dict[str, Any] = {}
            if fate.reward_due == round_:
                told["reward"] = reward if fate.reward_known else None
            if fate.costs_due == round_:
                told["costs"] = costs
            both = fate.reward_known and fate.costs_due != NEVER_DUE
            complete = both and max(fate.reward_due, fate.costs_due) == round_
            news.append(News(decision, told, complete, reward, costs))
        return news
