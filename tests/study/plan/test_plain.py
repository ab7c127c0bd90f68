"""A study as plain data: written down and read again, whoever edited it meanwhile."""

import json
from pathlib import Path
from typing import Any

import pytest

import roguewk as rw
from roguewk.study.plan.cells import plan_cells
from roguewk.study.plan.plain import study_from_data, study_to_data
from tests.study.plan.files import SMALL, mutations, study


def test_a_study_is_the_same_after_writing_it_down(tmp_path: Path) -> None:
    for found in (study(tmp_path, SMALL), rw.load_study("paper")):
        again = study_from_data(json.loads(json.dumps(study_to_data(found))))
        assert plan_cells(again) == plan_cells(found)
        assert study_to_data(again) == study_to_data(found)


OWN = "class Mine:\n    def select(self): ...\n    def update(self, *_): ...\n"


def test_an_edited_study_is_read_or_refused_in_one_sentence_and_planned_if_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    parts = '[[policy]]\nrewards = "rogue"\ncosts = "wilson"\nallocate = "lp"\n[[policy]]\npolicy = "Mine"\n'
    text = SMALL.replace("replicates = 3", 'replicates = 3\ncode = "mine.py"\nunfit = "skip"') + parts
    sound = json.loads(json.dumps(study_to_data(study(tmp_path, text))))
    read, refusals = 0, []
    for policy in range(len(sound["policies"])):
        first = {**sound, "policies": [sound["policies"][policy], *sound["policies"][:policy]]}
        for path, mutated in mutations(first if policy else sound):
            if policy and path[:1] != ("policies",):
                continue
            try:
                plan_cells(study_from_data(mutated))
                read += 1
            except rw.InputError as error:
                refusals.append(str(error))
    assert read > 50
    assert len(refusals) > 1000
    assert not any("\n" in each for each in refusals)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"source": 5}, "source is 5: give a text"),
        ({"source": "= 5"}, "source: this is not TOML"),
        ({"replicates": "many"}, "replicates is 'many': give a whole number"),
        ({"name": "../../elsewhere"}, "name is '../../elsewhere': give one without slashes"),
        ({"policies": []}, r"policies are \[\]: give a list of at least one"),
        ({"plot": {"x": "budget", "figures": 5}}, "figures of .plot. is 5: give a list"),
        ({"skipped": [["nowhere", "ucb1", "x"]]}, "unknown world of skipped: 'nowhere'"),
    ],
)
def test_what_is_wrong_in_an_edited_study_is_named(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rw.InputError, match=sentence):
        study_from_data({**study_to_data(study(tmp_path, SMALL)), **change})


def test_labels_and_settings_of_an_edited_study_are_checked_like_those_of_a_file(tmp_path: Path) -> None:
    def refused(place: str, key: str, value: Any) -> str:
        data = json.loads(json.dumps(study_to_data(study(tmp_path, SMALL))))
        data[place][1][key] = value
        with pytest.raises(rw.InputError) as caught:
            study_from_data(data)
        return str(caught.value)

    label = study(tmp_path, SMALL).worlds[0].label
    assert refused("worlds", "label", label) == f"{label!r} is the name of two worlds: give each its own"
    assert "settings of policy number 2 are 5" in refused("policies", "settings", 5)
    assert "unknown parameter of policy 'roguewk-ucb': 'cost_scal'" in refused("policies", "settings", {"cost_scal": 1})
    assert "of the study's own code, and there is none" in refused("policies", "origin", "plain")
    assert "budget of world number 2 is inf" in refused("worlds", "settings", {"budget": float("inf")})
