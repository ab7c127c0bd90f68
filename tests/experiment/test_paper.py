import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.estimate.liu_window import windows
from roguewk.experiment.paper import experiment as study
from roguewk.experiment.paper.choices import BUDGETS, DEFAULT, Choice, open_choices
from roguewk.experiment.paper.claims import find_claims
from roguewk.experiment.paper.measures import Average, Gain, find_gain, mean_of_ratios
from roguewk.policy.registry import recipe
from roguewk.show.names import OURS, THEIRS
from roguewk.show.style import LOOKS, looks_for
from tests.judge import MAIN

REPLICATES, MANY = 3, 5
FILES = {
    "report.html", "runs.csv", "runs.parquet", "choices.csv", "bounds.csv", "overview.png",
    *(f"{name}.{kind}" for name in ("cumulative_reward", "reward_per_play", "total_plays", "choices")
      for kind in ("svg", "png")),
}  # fmt: skip


@pytest.fixture(scope="module")
def few() -> Iterator[None]:
    rw.simulate(rw.catalog.paper(horizon=5), list(MAIN), replicates=1)  # compiles, and says so only here
    rw.upper_bound(rw.catalog.paper(horizon=5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "FEWEST_FOR_GAINS", MANY)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, few: None) -> Path:
    where = tmp_path_factory.mktemp("paper") / "new" / "folder"
    words = ["paper", "--replicates", str(REPLICATES), "--seed", "4", "--threads", "2", "--out", str(where), "--quiet"]
    assert cli.main(words) == 0
    return where


@pytest.fixture(scope="module")
def runs(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "runs.csv")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def choices(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "choices.csv", keep_default_na=False)


def test_every_file_is_there_and_nothing_else(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {*FILES, "study"}
    assert all(path.stat().st_size > 0 for path in folder.iterdir())


def test_the_experiment_is_the_study_that_is_shipped(folder: Path, runs: pd.DataFrame) -> None:
    results = rw.open_results(folder / "study")
    assert results.study.source == rw.load_study("paper").source
    np.testing.assert_array_equal(results.frame()["reward"], runs["reward"])


def test_the_runs_are_a_tidy_table_of_the_papers_grid(runs: pd.DataFrame, folder: Path) -> None:
    assert list(runs.columns[:8]) == [
        "budget", "policy", "replicate", "reward", "expected_reward", "plays", "rounds", "stopped_by",
    ]  # fmt: skip
    assert sorted(runs["budget"].unique()) == list(range(10, 301, 10))
    assert set(runs["policy"]) == {"roguewk-ucb", "ucb1", "sw-ucb"}
    assert len(runs) == 30 * 3 * REPLICATES
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "runs.parquet"), runs, check_dtype=False)


def test_the_runs_are_what_simulate_gives(runs: pd.DataFrame) -> None:
    direct = rw.simulate(rw.catalog.paper(budget=70), list(study.POLICIES), replicates=REPLICATES, seed=4).frame()
    mine = runs[runs["budget"] == 70].drop(columns="budget").reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, direct, check_dtype=False)


def test_the_bounds_are_those_of_the_worlds_played_and_nobody_beats_them(
    folder: Path, runs: pd.DataFrame, page: str
) -> None:
    bounds = pd.read_csv(folder / "bounds.csv").set_index("budget")
    assert list(bounds.index) == list(BUDGETS)
    for column, idle in (("bound", False), ("bound_with_idle", True)):
        assert bounds[column][70] == pytest.approx(rw.upper_bound(rw.catalog.paper(budget=70), idle).value)
        assert f"<td class=number>{bounds[column][100]:.0f}</td>" in page
    assert (bounds["bound"] <= bounds["bound_with_idle"]).all()
    means = runs.groupby(["budget", "policy"])["expected_reward"].mean().unstack()
    assert (means.max(axis=1) <= bounds["bound"]).all()
    share = means.div(bounds["bound"], axis=0).mean()["roguewk-ucb"]
    assert f"share of the bound: ROGUEwK-UCB {100 * share:.0f}&nbsp;%" in page
    assert "bound with idle" in (folder / "cumulative_reward.svg").read_text()
    assert "bound" not in (folder / "total_plays.svg").read_text()


def test_the_gain_is_the_mean_over_budgets_of_the_ratio_of_mean_rewards_and_the_same_wherever_it_is_told(
    runs: pd.DataFrame, choices: pd.DataFrame, page: str
) -> None:
    ratios = []
    for budget in BUDGETS:
        frame = rw.simulate(rw.catalog.paper(budget=budget), [OURS, THEIRS], replicates=MANY, seed=4).frame()
        means = frame.groupby("policy")["reward"].mean()
        ratios.append(means[OURS] / means[THEIRS])
        first = frame[frame["replicate"] < REPLICATES].set_index(["policy", "replicate"])["reward"]
        mine = runs[(runs["budget"] == budget) & (runs["policy"] != "ucb1")].set_index(["policy", "replicate"])
        pd.testing.assert_series_equal(mine["reward"], first, check_dtype=False)
    gain = float(np.mean(ratios) - 1)
    assert choices["gain"][choices["is_default"]].tolist() == pytest.approx([gain])
    words = f"{100 * gain:.1f}&nbsp;%".replace("-", "\N{MINUS SIGN}")
    assert f"earns {words} more than SW-UCB, averaged over 30 budgets ({MANY} replicates," in page
    assert f"<td>{words} here (" in page
    assert f"<strong>default</strong></td><td class=number>{words}</td>" in page
    assert f"Medians are of the {REPLICATES} replicates of the pictures, the gain is of {MANY}" in page


def test_threads_do_not_change_the_data_or_the_report(folder: Path, tmp_path: Path, few: None) -> None:
    words = ["paper", "--replicates", str(REPLICATES), "--seed", "4", "--threads", "1", "--out", str(tmp_path)]
    assert cli.main([*words, "--quiet"]) == 0
    for name in ("runs.csv", "runs.parquet", "bounds.csv", "choices.csv", "choices.svg", "report.html"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name


def test_the_command_names_its_folder_and_fits_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], few: None
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["paper", "--replicates", "1", "--out", "results"]) == 0
    out, err = capsys.readouterr()
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[-1] == "report, pictures and data are in results; open results/report.html"
    assert f"averaged over 30 budgets ({MANY} replicates, 95 % interval" in " ".join(out.split())
    assert err == ""


class Links(HTMLParser):
    """Collects whatever a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "srcset", "data", "poster", "href", "xlink:href") and tag != "a":
                self.fetched.append(value or "")
        if tag in ("script", "link", "iframe", "img"):
            self.fetched.append(tag)


def test_the_report_fetches_nothing(page: str) -> None:
    links = Links()
    links.feed(page)
    assert [link for link in links.fetched if not link.startswith("#")] == []
    assert not re.search(r"@import|url\((?!['\"]?#)", page)
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page))
    assert addresses <= {"http://www.w3.org/1999/xlink"}


def test_the_names_inside_the_pictures_do_not_collide(page: str) -> None:
    defined = re.findall(r'<(?:clipPath|path) id="([^"]+)"', page)
    assert len(defined) == len(set(defined))


def test_pictures_come_first_and_what_is_needed_to_repeat_last(page: str) -> None:
    places = [page.index(each) for each in ("<svg", "<table", "leaves open", "To repeat this", "--seed 4")]
    assert places == sorted(places)
    assert page.count("<svg") == 4
    assert f"--replicates {REPLICATES}" in page
    for package in ("numpy", "numba", "pandas", "pyarrow", "matplotlib", f"roguewk {rw.__version__}"):
        assert package in page


def test_the_report_says_what_was_found_about_the_13_percent(page: str, choices: pd.DataFrame) -> None:
    low, high = choices["gain"].min(), choices["gain"].max()
    inside = low <= 0.13 <= high
    assert f"13&nbsp;% is {'inside' if inside else 'outside'} that range" in page
    assert f"{100 * high:.1f}&nbsp;%" in page
    for choice in open_choices():
        assert choice.title.replace("'", "&#x27;") in page


def test_every_alternative_has_a_gain_in_its_interval(choices: pd.DataFrame) -> None:
    assert len(choices) == 1 + sum(len(choice.alternatives) for choice in open_choices())
    assert choices["is_default"].tolist() == [True] + [False] * (len(choices) - 1)
    assert (choices["gain_low"] <= choices["gain_high"]).all()
    assert choices[["gain", "gain_low", "gain_high"]].abs().max().max() < 10


@pytest.mark.parametrize("choice", open_choices(), ids=lambda choice: choice.title)
def test_no_alternative_repeats_the_default(choice: Choice) -> None:
    assert choice.why.endswith(".")
    assert choice.default
    for alternative in choice.alternatives:
        assert alternative.label not in (choice.default, choice.default.split()[0])
        for policy, given in ((OURS, alternative.ours), (THEIRS, alternative.theirs)):
            defaults = recipe(policy).complete({})
            complete = recipe(policy).complete(given)
            assert all(complete[key] != defaults[key] for key in given)


def test_a_choice_varies_one_thing_at_a_time() -> None:
    for choice in open_choices():
        for alternative in choice.alternatives:
            names = {*alternative.ours, *alternative.theirs}
            others = alternative.change is not DEFAULT.change, alternative.average is not DEFAULT.average
            assert len(names) + sum(others) == 1


def test_the_defaults_told_are_the_policies_own() -> None:
    told = {choice.title: choice.default for choice in open_choices()}
    window, _ = windows(rw.catalog.paper().problem, None, None, None, 0.0)
    assert told["SW-UCB's window w1"].startswith(f"{window} rounds")
    low, high = rw.catalog.paper().problem.arms[0].state
    assert told["State set X"].startswith(f"[{low:g}, {high:g}]")
    for policy, title, parameter in (
        (OURS, "ROGUEwK-UCB's state radius", "radius_scale"),
        (OURS, "ROGUEwK-UCB's cost radius", "cost_scale"),
        (THEIRS, "SW-UCB's reward radius", "radius_scale"),
        (THEIRS, "SW-UCB's cost radius", "cost_scale"),
    ):
        assert told[title].startswith(f"{parameter} = {recipe(policy).parameters[parameter].default:g} ")


def test_an_interval_resamples_whole_replicates() -> None:
    luck = np.arange(1.0, 9.0)[None, :] * np.ones((3, 1))
    gain = find_gain(1.2 * luck, luck)  # paired: however lucky a replicate, the ratio is 1.2
    assert gain == pytest.approx((0.2, 0.2, 0.2))


@pytest.mark.parametrize("median", [False, True])
def test_the_interval_agrees_with_a_plain_bootstrap(median: bool) -> None:
    rng = np.random.default_rng(1)
    ours, theirs = rng.uniform(50, 70, (4, 12)), rng.uniform(40, 60, (4, 12))
    centre = np.median if median else np.mean
    gains = []
    for _ in range(4000):
        picks = rng.integers(0, 12, 12)
        gains.append(np.mean(centre(ours[:, picks], axis=1) / centre(theirs[:, picks], axis=1)) - 1)
    found = find_gain(ours, theirs, Average(median, mean_of_ratios))
    assert found.value == pytest.approx(np.mean(centre(ours, axis=1) / centre(theirs, axis=1)) - 1)
    assert found[1:] == pytest.approx(np.quantile(gains, [0.025, 0.975]), abs=0.01)


def table(rewards: dict[str, float], plays: dict[str, int]) -> pd.DataFrame:
    rows = [
        (budget, policy, r, rewards[policy], plays[policy]) for budget in (10, 20) for policy in rewards for r in (0, 1)
    ]
    return pd.DataFrame(rows, columns=["budget", "policy", "replicate", "reward", "plays"])


def test_claims_are_judged_by_the_numbers() -> None:
    as_published = table({OURS: 30, THEIRS: 25, "ucb1": 20}, {OURS: 40, THEIRS: 45, "ucb1": 42})
    assert [each.holds for each in find_claims(as_published, Gain(0.12, 0.1, 0.14), 0.13)] == [True] * 5
    reverse = table({OURS: 20, THEIRS: 25, "ucb1": 25}, {OURS: 45, THEIRS: 40, "ucb1": 42})
    assert [each.holds for each in find_claims(reverse, Gain(-0.2, -0.3, -0.1), 0.13)] == [False] * 5
    tied = table({OURS: 25, THEIRS: 25, "ucb1": 20}, {OURS: 45, THEIRS: 40, "ucb1": 42})
    first = find_claims(tied, Gain(0.0, 0.0, 0.0), 0.13)[0]
    assert (first.holds, first.finding) == (False, "Largest median reward at 0 of 2 budgets, tied at 2.")


def test_every_policy_has_its_own_colour_line_and_marker() -> None:
    assert set(LOOKS) == {*study.POLICIES, "roguewk-plan", "clairvoyant"}
    assert all(len({str(look[i]) for look in LOOKS.values()}) == 5 for i in (1, 3, 4))
    further = looks_for(["ucb1", "one", "two", "three"])
    assert further["ucb1"] == LOOKS["ucb1"]
    assert all(len({str(look[i]) for look in (*LOOKS.values(), *further.values())}) == 8 for i in (1, 3, 4))
    assert list(BUDGETS) == list(range(10, 301, 10))
