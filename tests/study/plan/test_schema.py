"""The JSON Schema of study files agrees with what is accepted."""

import json
import tomllib
from pathlib import Path

import jsonschema

from roguewk.study.plan.read import shipped
from roguewk.study.plan.schema import study_schema
from tests.study.plan.files import SMALL


def test_the_schema_is_published_and_agrees_with_what_is_accepted(tmp_path: Path) -> None:
    schema = study_schema()
    published = Path(__file__).parents[3] / "docs" / "study.schema.json"
    assert json.loads(published.read_text()) == schema, "run: roguewk study --schema > docs/study.schema.json"
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    parts = '[[policy]]\nrewards = ["rogue", "ucb1"]\ncosts = "wilson"\nallocate = "lp"\nscale = 0.5\n'
    known_truth = '[[policy]]\npolicy = ["clairvoyant", "rogue/wilson/lp"]\ncosts = [[[0.1, 0.2, 0.3]]]\n'
    own_world = (
        SMALL.replace("budget = [20, 40]", "")
        .replace('"paper"', '["w.toml", "../other/w.toml"]')
        .replace("= 50", "= 50\nbudget.staff = [3, 4]")
    )
    named = own_world.replace("= 50", "= 50\narm.walk.costs = [{ staff = 5 }, { staff = { uniform = [0.1, 0.3] } }]", 1)
    limits = """horizon = "10 weeks"
    rounds_per_day = [1, 2]
    at_most.calls = [2, 3]
    every = "7 days"
    carry_over.staff = [true, false]
    gap.1 = [2, "3 days"]
    chances.place = [[0.5, 0.5], [1, 0]]
    """
    limited = own_world.replace("horizon = 50", limits)
    for text in (limited, named, SMALL, SMALL + parts, SMALL + known_truth, own_world, *shipped().values()):
        assert judge.is_valid(tomllib.loads(text))
    for old, new in (
        ("replicates", "replicate"),
        ("replicates = 3", "replicates = 0"),
        ("budget =", "bugdet ="),
        ("cost_scale", "cost_scal"),
        ("[[world]]", "[world]"),
        ("replicates = 3", "record.trace = 3"),
        ("replicates = 3", "plot.figures = ['rewards']"),
        ('"paper"', '"papr"'),
        ('"ucb1", "sw-ucb"', '"ucb1", "swucb"'),
        ("[20, 40]", "-1"),
        ("horizon = 50", "horizon = [1.5]"),
        ("horizon = 50", "arm.walk.AA = 1"),
        ("horizon = 50", "at_most.calls = 0"),
        ("horizon = 50", "carry_over = 1"),
        ("horizon = 50", '"arm.walk.A" = 1'),
        ("horizon = 50", "arm.walk.costs = { staff = -1 }"),
        ("[0.1, 1.0]", '"x"'),
    ):
        assert not judge.is_valid(tomllib.loads(SMALL.replace(old, new, 1)))
    own = SMALL.replace("replicates = 3", "code = 'mine.py'").replace("cost_scale", "anything")
    assert judge.is_valid(tomllib.loads(own))
