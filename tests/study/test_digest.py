"""What the terminal says of a study."""

import re

import numpy as np
import pandas as pd
import pytest

from roguewk.study.digest import show_study
from roguewk.study.report.tables import comparisons_table
from tests.study.views.told import results_of, some_rewards, told


def test_worlds_in_unlike_units_are_averaged_as_shares_of_their_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = some_rewards(2, 3)
    rewards[1] *= 1000
    rewards[0, 1] += 10  # the second policy is better where little is paid
    bounds = pd.DataFrame({"world": ["w0", "w1"], "bound": [50.0, 50_000.0]})
    results = results_of(rewards, bounds=bounds)
    shares = ((rewards + 0.5) / bounds["bound"].to_numpy()[:, None, None]).mean(axis=(0, 2))
    best = shares.argmax()
    assert best == 1 != rewards.mean(axis=(0, 2)).argmax()
    assert told(results)[0].startswith(
        f"On average over 2 worlds and 20 replicates, p1 earned most: {100 * shares[1]:.1f} % of the certified bound, "
        f"{100 * (shares[1] - shares[0]):.3g} percentage points more than p0 (95 % interval "
    )
    assert "all worlds (percentage points of the bound)" in comparisons_table(results.comparisons)
    show_study(results)
    out = capsys.readouterr().out
    said = "Shares of the bound, averages over 2 worlds; differences from 'p0', in percentage points, under"
    assert said in " ".join(out.split())
    assert re.search(rf"p1 +{100 * shares[1]:.1f} % +\+{100 * (shares[1] - shares[0]):.1f} \(", out)
    assert "Worlds with larger rewards count more." in told(results_of(rewards))[0]


def test_the_terminal_shows_no_number_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    show_study(results_of(np.array([[[30.0], [32.2]]])))
    out = capsys.readouterr().out
    assert re.search(r"p1 +32\.2 +unknown +\+2\.2 +undecided", out)
    show_study(results_of(np.array([[[30.0, 31.0], [np.nan, np.nan]]])))
    lost = capsys.readouterr().out
    assert re.search(r"p1 +unknown +unknown +unknown +undecided +2", lost)
    assert "nan" not in out + lost


def test_the_terminal_says_over_how_many_worlds_each_policy_is_averaged(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = 1000 * some_rewards(3)
    show_study(results_of(rewards))
    out = capsys.readouterr().out
    assert "averages over 3 worlds" in out
    rewards[0, 0, 4] = np.nan
    show_study(results_of(rewards, {("w0", "p1"): "unfit", ("w2", "p1"): "unfit"}))
    uneven = capsys.readouterr().out
    assert "averages over the worlds that a policy played" in " ".join(uneven.split())
    assert [line.split()[-2:] for line in uneven.splitlines() if re.match(r" ?p\d", line)] == [
        *(["3", "1"], ["1", "0"], ["3", "0"])
    ]
    assert max(len(line.rstrip()) for line in (out + uneven).splitlines()) <= 80
