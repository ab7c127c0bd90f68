"""How near fits of logs come to what the logs were made with."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from roguewk import cli
from roguewk.experiment.recovered.files import recovered_files
from roguewk.experiment.recovered.goals import EVEN, biased, goals, off, said
from roguewk.experiment.recovered.made import ARMS, KINDS, SPACING, made_log
from roguewk.experiment.recovered.recovered import Recovered, Row, Settings, run_recovered


@pytest.mark.parametrize("kind", KINDS)
def test_made_logs_follow_from_their_number(kind: str) -> None:
    one, same, other = (made_log(kind, number, 20, 30) for number in (1, 1, 2))
    assert (one.log.arm == same.log.arm).all()
    assert np.array_equal(one.log.reward, same.log.reward, equal_nan=True)
    assert (one.truth.level != other.truth.level).any()
    assert (np.isnan(one.log.reward) == (one.log.arm < 0)).all()


def test_rewards_are_as_likely_as_the_truth_has_it() -> None:
    """The literal levels, worked out from the log alone; subjects' own are 0.7 apart, which shrinks means."""
    made = made_log("sent by chance", 3, 4000, 12)
    arm, reward = (column.reshape(4000, 12) for column in (made.log.arm, made.log.reward))
    for a in range(ARMS):
        level = np.full(arm.shape, made.truth.level[a])
        for t in range(12):
            for earlier in range(t):
                left = 0.5 ** ((t - 1 - earlier) / made.truth.half_life[a])
                level[:, t] -= made.truth.wear[a] * left * (arm[:, earlier] == a)
        own = np.random.default_rng(0).normal(0.0, 0.7, 2000)[:, np.newaxis]
        expected = (1 / (1 + np.exp(-level[arm == a] - own))).mean()
        seen = reward[arm == a]
        assert seen.mean() == pytest.approx(expected, abs=4 * seen.std() / np.sqrt(seen.size) + 0.01)


def test_even_logs_are_even_and_adaptive_ones_send_more_of_what_works() -> None:
    even = made_log("sent at even distances", 0, 5, 24).log
    for a in range(ARMS):
        assert set(np.diff(even.time[(even.subject == 0) & (even.arm == a)])) == {SPACING}
    made = made_log("sent by what was seen", 0, 400, 60)
    sent = np.bincount(made.log.arm[made.log.arm >= 0], minlength=ARMS)
    steady = 1 / (1 + np.exp(-(made.truth.level - made.truth.wear)))
    assert sent[np.argmax(steady)] > sent[np.argmin(steady)]


def invented() -> Recovered:
    rows = [Row(kind, 0, "a", "wear", 0.8, 1.0, 0.9, 1.2, "RECOVERS") for kind in KINDS]
    rows += [
        Row(kind, 0, "a", number, 2.0, 2.2, 1.0, 3.0, "RECOVERS")
        for kind in KINDS
        for number in ("rested", "half_life")
    ]
    return Recovered(Settings(), pd.DataFrame([{**row._asdict(), "held": row.held} for row in rows]))


def test_errors_are_shares_of_the_truth_and_open_estimates_are_nowhere_near() -> None:
    rows = pd.DataFrame({"value": [1.0, 2.2, np.nan], "truth": [2.0, 2.0, 2.0]})
    assert off(rows) == pytest.approx(0.5)
    assert biased(rows) == pytest.approx(-0.2)
    assert off(rows.iloc[[0, 2, 2]]) == np.inf


def test_goals_are_judged_by_kind_and_number() -> None:
    found = {goal.figure: goal for goal in goals(invented())}
    assert found["half-life off by, at the median (sent by chance)"].reached
    assert found["wear off by, at the median (sent by chance)"].value == "25.0%"
    assert found["wear in its 95 % interval (sent by chance)"].value == "0.0%"
    assert not found["even spacing is said to be"].reached
    assert said(invented().found, EVEN) == 0.0


def test_fits_are_put_beside_the_truth_and_drawn() -> None:
    told: list[tuple[int, int]] = []
    recovered = run_recovered(Settings(logs=1, subjects=40, rounds=30), lambda done, total: told.append((done, total)))
    assert told[0] == (0, len(KINDS))
    assert told[-1] == (len(KINDS), len(KINDS))
    assert len(recovered.found) == len(KINDS) * ARMS * 3
    assert {"fits.csv", "figures.csv", "recovered.svg"} <= set(recovered_files(recovered))


def test_the_command_fits_a_few_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["quality", "--logs", "--replicates", "1", "--out", str(tmp_path / "q")]) == 0
    out = capsys.readouterr().out
    assert "Goals of rw.fit" in out
    assert all(len(line) <= 80 for line in out.splitlines() if str(tmp_path) not in line)
    assert (tmp_path / "q" / "recovered.png").exists()


def test_options_of_policies_do_not_go_with_logs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["quality", "--logs", "--learned"]) != 0
    assert "--learned does not go with --logs" in capsys.readouterr().err
