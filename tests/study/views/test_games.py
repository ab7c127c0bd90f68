"""Single runs as short texts."""

import numpy as np
import pytest

from roguewk.study.views.games import LETTERS, LEVELS, games_data
from roguewk.study.views.rounds import recorded
from tests.study.invented import SMALL, invented, planned


def test_single_runs_can_be_read_back() -> None:
    played = invented(planned(SMALL))
    game = games_data(recorded(played))[0]
    places = {letter: i for i, letter in enumerate(LETTERS)}

    def unpacked(text: str) -> list[int]:
        return [64 * places[a] + places[b] for a, b in zip(text[::2], text[1::2], strict=True)]

    frame = played.traces[played.study.worlds[0].label, "sw-ucb"]
    rows, run = frame[frame["replicate"] == 1], game["runs"]["1"][1]
    assert [each - 2 for each in unpacked(run["arms"])] == rows["arm"].tolist()
    assert run["reward"] == rows["reward"].sum()
    for a, (low, high, text) in enumerate(run["states"]):
        states = low + (high - low) * np.array(unpacked(text)) / LEVELS
        assert states == pytest.approx(rows[f"state_{game['arms'][a]}"].to_numpy(), abs=(high - low) / LEVELS)
