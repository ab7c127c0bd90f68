"""A study as plain data, whole: with it a folder can be read again, wherever its files came from."""

from dataclasses import asdict
from typing import Any

from roguewk.study.plan.model import PlannedPolicy, PlannedWorld, Plot, Record, Study
from roguewk.world.plain import world_from_data, world_to_data


def study_to_data(study: Study) -> dict[str, Any]:
    """Everything about a study.

    >>> import roguewk as rw
    >>> study_to_data(rw.load_study("paper"))["policies"][0]
    {'label': 'roguewk-ucb', 'name': 'roguewk-ucb', 'settings': {}}
    """
    plain = ("name", "title", "replicates", "seed", "baseline", "code", "source", "file")
    return {
        **{key: getattr(study, key) for key in plain},
        "worlds": [
            {"label": each.label, "settings": dict(each.settings), "world": world_to_data(each.world)}
            for each in study.worlds
        ],
        "policies": [
            {"label": each.label, "name": each.name, "settings": dict(each.settings)} for each in study.policies
        ],
        "record": asdict(study.record),
        "plot": asdict(study.plot),
        "skipped": [[*pair, reason] for pair, reason in study.skipped.items()],
    }


def study_from_data(data: dict[str, Any]) -> Study:
    """The study that `study_to_data` has written down."""
    worlds = [PlannedWorld(each["label"], each["settings"], world_from_data(each["world"])) for each in data["worlds"]]
    plot = data["plot"]
    made = {
        "worlds": tuple(worlds),
        "policies": tuple(PlannedPolicy(**each) for each in data["policies"]),
        "record": Record(**data["record"]),
        "plot": Plot(plot["x"], tuple(plot["figures"]), tuple(plot["kinds"])),
        "skipped": {(world, policy): reason for world, policy, reason in data["skipped"]},
    }
    return Study(**{**data, **made})
