"""The paper's experiment as text for a terminal."""

from roguewk.experiment.paper.experiment import POLICIES, Paper
from roguewk.experiment.paper.measures import quartiles, told
from roguewk.experiment.paper.report import SHOWN_BUDGETS
from roguewk.show.terminal import show, show_table


def show_paper(paper: Paper) -> None:
    """The verdict, the claims and a small table."""
    for sentence in paper.verdict():
        show(sentence)
    rows = [[each.claim, "yes" if each.holds else "no", each.finding] for each in paper.claims]
    show_table(("the paper", "here?", "numbers"), rows)
    table = quartiles(paper.runs, "reward")
    bounds = paper.bounds.set_index("budget")["bound"]
    shown = [
        [str(budget), *(" ".join(told(table, each, budget)) for each in POLICIES), f"{bounds[budget]:.0f}"]
        for budget in SHOWN_BUDGETS
    ]
    show("Cumulative reward, median (and quartiles), and what no policy can expect to earn more than:")
    show_table(("budget", *POLICIES, "bound"), shown, numbers=range(5))
