"""What a study found, in two or three sentences."""

from typing import TYPE_CHECKING

from roguewk.show.numbers import shown
from roguewk.show.words import count
from roguewk.study.results import Results
from roguewk.study.stats.compare import DECIDED
from roguewk.study.stats.detectable import LEVEL
from roguewk.study.stats.flips import fewest_pairs
from roguewk.study.views.best import best_words
from roguewk.study.views.comparisons import single_worlds
from roguewk.study.views.measures import idle_rewards

if TYPE_CHECKING:
    import pandas as pd


def findings(results: Results) -> list[str]:
    """Sentences: whether the study is finished, who earned most, what idling brings, what is decided, what failed."""
    sentences = [_unfinished(results), best_words(results), _idle(results), _decided(results), _failures(results)]
    return [sentence for sentence in sentences if sentence]


def _idle(results: Results) -> str:
    """What doing nothing brings, where it brings something."""
    idle = idle_rewards(results.study)
    if not idle:
        return ""
    least, most = (shown(end(idle.values())) for end in (min, max))
    range_ = least if least == most else f"{least} to {most}, depending on the world"
    return f"Doing nothing throughout brings {range_} on average; the effect of a policy is what it adds to that."


def _decided(results: Results) -> str:
    """How many comparisons within a world are decided, or why none can be."""
    rows = single_worlds(results)
    tested = rows[rows["pairs"] > 1]
    if not len(rows):
        return ""
    if not len(tested):
        return "Nothing is decided: it takes several replicates that both policies finished."
    needed = tested.groupby("world").size().map(lambda family: fewest_pairs(LEVEL / family))
    if (tested.groupby("world")["pairs"].max() < needed).all():
        return (
            f"With so few replicates nothing can be decided, however large the differences: at least {needed.min()} "
            f"are needed for {count(int(tested.groupby('world').size().min()), 'comparison')}."
        )
    decided = tested["verdict"].isin(DECIDED)
    if len(rows) == 1:
        return f"The difference is {'decided' if decided.all() else 'not decided'} at the 5 % level."
    untested = f" ({len(rows) - len(tested)} more lack pairs)" if len(rows) > len(tested) else ""
    start = f"{count(len(tested), 'comparison')} with {results.study.baseline} within a world{untested}"
    if not decided.any():
        return f"None of {start} is decided."
    more, less = ((tested["verdict"] == verdict).sum() for verdict in DECIDED)
    are = "is" if more + less == 1 else "are"
    return f"Of {start}, {more + less} {are} decided{_correction(tested)}: {more} earned more, {less} less."


def _correction(tested: "pd.DataFrame") -> str:
    """What verdicts are corrected for, and what they are not."""
    families = tested.groupby("world").size()
    if families.max() == 1:
        return ", each at the 5 % level and not corrected for their number" if len(families) > 1 else ""
    alone = ", not for the number of worlds" if len(families) > 1 else ""
    return f" after correcting for the number of policies{alone}"


def _unfinished(results: Results) -> str:
    study, runs = results.study, int(results.summary["runs"].sum())
    planned = (len(study.worlds) * len(study.policies) - len(study.skipped)) * study.replicates
    return f"The study is not finished: {runs} of {planned} runs are there." if runs < planned else ""


def _failures(results: Results) -> str:
    study, summary = results.study, results.summary
    failed, runs = int(summary["failed"].sum()), int(summary["runs"].sum())
    text = "No run failed." if not failed else f"{failed} of {count(runs, 'run')} failed; they are listed below."
    if study.skipped:
        pairs, were = count(len(study.skipped), "pair"), "was" if len(study.skipped) == 1 else "were"
        text += f" {pairs} of world and policy did not fit each other and {were} skipped."
    return text
