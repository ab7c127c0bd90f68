"""What the package shows to the world, and what importing it costs."""

import importlib
import inspect
import re
import subprocess
import sys

import pytest

import roguewk as rw
from roguewk.moved import MOVED

NAMES = [
    "Allocation",
    "Analysis",
    "Arm",
    "Baseline",
    "Bound",
    "Context",
    "Cost",
    "Decision",
    "Fit",
    "FractionalPlan",
    "Gap",
    "Hooks",
    "InputError",
    "Log",
    "LoggedRounds",
    "ModelComparison",
    "OffPolicy",
    "Optimum",
    "Outcomes",
    "Part",
    "PlainPolicy",
    "Policy",
    "PosteriorSample",
    "Prior",
    "Problem",
    "Recipe",
    "Resource",
    "Results",
    "Runs",
    "StateBounds",
    "Study",
    "TrialDesign",
    "WhatIf",
    "World",
    "add_policy",
    "at_most",
    "catalog",
    "check_assumptions",
    "compare_models",
    "everyday_arm",
    "exact",
    "fit",
    "load_problem",
    "load_study",
    "load_world",
    "log_runs",
    "make_policy",
    "nlp",
    "off_policy",
    "open_results",
    "policies",
    "read_log",
    "replay",
    "restore_policy",
    "run_study",
    "sample_posterior",
    "simulate",
    "solve_lp",
    "state_bounds",
    "theorem",
    "theorem_radius",
    "unknown_arm",
    "upper_bound",
    "what_if",
    "write_fit_report",
    "write_results",
]
HEAVY = ["numba", "numpy", "pandas", "matplotlib", "scipy", "pyarrow", "rich", "casadi", "gymnasium", "joblib", "jax"]


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(vars(rw)["__all__"]) == NAMES
    assert set(NAMES) <= set(dir(rw))


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_explains_itself(name: str) -> None:
    thing = getattr(rw, name)
    assert inspect.getdoc(thing)
    for method, function in inspect.getmembers(thing, inspect.isfunction) if inspect.isclass(thing) else []:
        if not method.startswith("_"):
            assert inspect.getdoc(function), f"{name}.{method}"


@pytest.mark.parametrize("name", NAMES)
def test_every_public_function_and_class_shows_an_example(name: str) -> None:
    text = inspect.getsource(getattr(rw, name))
    assert ">>> " in text


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = rw.nothing_of_this_name  # type: ignore[attr-defined]


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, roguewk; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_describing_a_problem_compiles_nothing() -> None:
    code = "import sys, roguewk as rw; rw.Problem([rw.Arm('a', A=0.5)], [], 10); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_a_module_that_has_moved_says_where_it_is(old: str, new: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=f"{old} is now {new}: import from there"):
        importlib.import_module(old)
    for name in re.findall(r"roguewk[\w.]+", new):
        importlib.import_module(name)


def test_the_version_is_a_version() -> None:
    assert len(rw.__version__.split(".")) == 3
