"""How near fits come to the truth, as text for a terminal."""

from roguewk.experiment.recovered.goals import NUMBERS, biased, goals, off
from roguewk.experiment.recovered.made import KINDS
from roguewk.experiment.recovered.recovered import Recovered
from roguewk.show.terminal import show, show_table
from roguewk.show.words import count


def show_recovered(recovered: Recovered) -> None:
    """Errors and coverage by kind of log, the verdicts, and every goal."""
    settings, found = recovered.settings, recovered.found
    size = f"{count(settings.subjects, 'subject')}, {count(settings.rounds, 'round')}"
    show(f"{count(settings.logs, 'log')} of each kind, {size}, 0 or 1 is earned; what fits say beside the truth")
    rows = []
    for kind in [name for name in KINDS if KINDS[name].wears]:
        for number in NUMBERS:
            own = found[(found["kind"] == kind) & (found["number"] == number)]
            held = f"{own['held'].mean():.1%}"
            rows.append([kind, number.replace("_", "-"), f"{off(own):.1%}", f"{biased(own):+.1%}", held])
    show_table(("logs", "", "off by", "too large by", "held by 95 %"), rows, numbers=(2, 3, 4))
    show("How often each verdict is given")
    rows = []
    for kind in KINDS:
        told = found[(found["kind"] == kind) & (found["number"] == "wear")]["verdict"]
        for name, share in told.value_counts(normalize=True).to_dict().items():
            rows.append([kind, str(name).replace("_", " ").lower(), f"{share:.1%}"])
    show_table(("logs", "verdict", "of the arms"), rows, numbers=(2,))
    print("\nGoals of rw.fit:")
    for goal in goals(recovered):
        show(str(goal), hanging="    ")
