"""What a study sets, as people call it."""

from collections.abc import Mapping
from typing import Any

_ALONE = {
    "half_life": "half-life",
    "rounds_per_day": "rounds a day",
    "idle": "idle rounds",
    "idle.reward": "reward of idle rounds",
    "idle.at_end": "reward of idle rounds at the end",
    "idle.family": "family of idle rounds",
    "idle.sigma": "sigma of idle rounds",
    "idle.known": "reward of idle rounds known",
    "outcomes.delay": "delay of outcomes",
    "outcomes.missing": "share of outcomes missing",
}
_OF_NAMED = {  # kinds of settings of what has a name -> alone, and with the name
    "at_most": ("cap", "cap of {}"),
    "gap": ("gap", "gap of {}"),
    "every": ("period", "period of {}"),
    "carry_over": ("carry-over", "carry-over of {}"),
    "largest_cost": ("largest cost", "largest cost of {}"),
    "chances": ("chances", "chances of {}"),
    "known": ("chances known", "chances of {} known"),
    "cycle": ("cycle", "cycle of {}"),
    "each": ("length of an entry", "length of an entry of {}"),
    "budget": ("budget", "budget of {}"),
}

_STORES = ("budget.", "at_most.")


def in_words(key: str) -> str:
    """A setting; parameters of policies keep their names.

    >>> in_words("budget.messages"), in_words("arm.walk.half_life"), in_words("idle.reward"), in_words("cost_rho")
    ('budget of messages', 'half-life of walk', 'reward of idle rounds', 'cost_rho')
    """
    if key in _ALONE:
        return _ALONE[key]
    kind, _, rest = key.partition(".")
    if kind == "arm" and "." in rest:
        name, _, own = rest.rpartition(".")
        return f"{in_words(own)} of {name}"
    if kind not in _OF_NAMED:
        return key
    alone, of_one = _OF_NAMED[kind]
    if rest.isdigit():  # what has no name is called by its place
        return f"{alone} {rest}"
    return of_one.format(rest) if rest else alone


def told(settings: Mapping[str, Any]) -> str:
    """Settings with their values, those that are known.

    >>> told({"budget.messages": 10, "horizon": None, "idle": True})
    'budget of messages 10, idle rounds yes'
    """
    return ", ".join(
        f"{in_words(key)}{_between(key)}{_value(value)}" for key, value in settings.items() if value is not None
    )


def told_shortly(settings: Mapping[str, Any]) -> str:
    """The same for narrow places: budgets and caps by their names alone, where nothing else has these.

    >>> told_shortly({"at_most.talks": 2, "budget.minutes": 40, "every.minutes": "7 days", "budget": 5})
    'talks 2, budget of minutes 40, period of minutes 7 days, budget 5'
    """
    names = [key.partition(".")[2] for key in settings]
    words = []
    for key, name in zip(settings, names, strict=True):
        alone = key.startswith(_STORES) and names.count(name) == 1 and not name.isdigit()
        words.append(told({key: settings[key]}).replace(in_words(key), name if alone else in_words(key), 1))
    return ", ".join(filter(None, words))


def _between(key: str) -> str:
    """A number that is a name and one that is a value are kept apart."""
    return ": " if key.rpartition(".")[2].isdigit() else " "


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)
