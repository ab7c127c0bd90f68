"""Whatever is given for an argument of a public function, it works or is refused in one sentence."""

import dataclasses
import functools
import tempfile
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.policy.named.ucb1 import RECIPES
from tests.plain_worlds import NAMES as PLAIN_WORLDS

WRONG: dict[str, Any] = {
    "None": None,
    "a number": 5,
    "a negative number": -1,
    "a fraction": 0.5,
    "a text": "x",
    "an empty text": "",
    "bytes": b"x",
    "an empty list": [],
    "a list of texts": ["x", None],
    "a ragged list": [[1.0], [2.0, 3.0]],
    "an empty dict": {},
    "a dict": {"x": 1},
    "an object": object(),
    "a class": int,
    "nan": float("nan"),
    "infinity": float("inf"),
    "400 digits": 10**400,
    "5000 digits": -(10**5000),
    "a list of 400 digits": [10**400],
    "true": True,
    "a complex number": 1j,
    "an array of none": np.zeros(0),
    "an array of one": np.ones(1),
    "an array of seven": np.ones(7),
    "a table": np.ones((2, 2)),
    "an array of objects": np.array([None, "x"], dtype=object),
    "a NumPy number": np.float64("nan"),
}
WORLD = rw.catalog.paper(horizon=20, budget=5)
PROBLEM = WORLD.problem
ARM = PROBLEM.arms[0]
UCB1 = RECIPES[0]
OWN_STATE = "that of the policy itself"


# Made when they are first needed: collecting tests compiles nothing.
@functools.cache
def runs() -> rw.Runs:
    return rw.simulate(WORLD, "ucb1", replicates=2)


@functools.cache
def log() -> rw.Log:
    return rw.log_runs(WORLD, "ucb1")


@functools.cache
def fit() -> rw.Fit:
    return rw.fit(invented_log())


def unseen() -> rw.LoggedRounds:
    made = invented_log(5, 5)
    return dataclasses.replace(made, reward=np.full(made.arm.size, np.nan))


@functools.cache
def analysis() -> rw.Analysis:
    return rw.theorem(WORLD)


@functools.cache
def policy() -> rw.Policy:
    return rw.make_policy("ucb1", rw.catalog.paper(horizon=10**6, budget=10**5).problem)


def restored(state: Any, problem: Any) -> rw.Policy:
    return rw.restore_policy(policy().to_bytes() if state is OWN_STATE else state, problem)


def made(decision: Any) -> Any:
    """A policy that always decides the same."""

    class Stubborn:
        def __init__(self, problem: rw.Problem, seed: int) -> None:
            pass

        def select(self) -> Any:
            return decision

        def update(self, decision: Any, reward: float, costs: Any) -> None:
            pass

    return Stubborn


Given = dict[str, Any]
CALLS: dict[str, tuple[Callable[..., Any], Given]] = {
    "Arm": (rw.Arm, {"name": "a", "A": 0.5, "B": -1.0, "K": 0.0, "alpha": 0.0, "beta": 1.0, "family": "bernoulli",
                     "sigma": None, "state": (-3, 3), "h": None, "g": None, "known_start": None, "available": None,
                     "prior": None, "like": None}),
    "Arm.knowing": (ARM.knowing, {"start": "rested"}),
    "Arm of vectors": (rw.Arm, {"name": "a", "A": [[0.5, 0.0], [0.1, 0.2]], "B": [1.0, 1.0], "K": [0.0, 0.0],
                                "beta": [1.0, 1.0], "family": "gaussian", "sigma": 1.0, "state": None}),
    "Arm.widened": (ARM.widened, {"x0": [9.0]}),
    "Arm.with_state": (ARM.with_state, {"state": (-3, 3)}),
    "everyday_arm": (rw.everyday_arm, {"name": "a", "rested": 0.5, "wear": 0.5, "half_life": 2,
                                       "family": "bernoulli", "sigma": None, "state": None, "known_start": None,
                                       "available": 0.5, "prior": rw.Prior(), "like": None}),
    "unknown_arm": (rw.unknown_arm, {"name": "a", "rested": 0.5, "wear": 0.5, "half_life": 2, "prior": None,
                                     "family": "bernoulli", "sigma": None, "known_start": None, "available": 0.5,
                                     "like": None}),
    "Baseline": (rw.Baseline, {"reward": 0.5, "family": "gaussian", "sigma": 1.0, "at_end": 0.4, "known": True}),
    "Prior": (rw.Prior, {"half_life": 5, "wear": {"about": 1, "between": [0, 2]}, "rested": 0.5, "table": None}),
    "load_problem": (rw.load_problem, {"path": "nothing.toml"}),
    "Resource": (rw.Resource, {"name": "r", "budget": 1.0, "largest_cost": 1.0}),
    "Resource that renews": (rw.Resource, {"name": "r", "budget": 1.0, "every": 7, "carry_over": True,
                                           "counts": ["a"]}),
    "at_most": (rw.at_most, {"count": 2, "every": "7 days", "arms": ["a"], "carry_over": False, "name": "cap"}),
    "at_most without a name": (rw.at_most, {"count": 2, "every": 7, "arms": ["a"]}),
    "Gap": (rw.Gap, {"least": 2, "arms": ["a"]}),
    "Problem with limits": (rw.Problem, {"arms": [ARM], "resources": [rw.Resource("r", 1.0)], "horizon": "20 days",
                                         "rounds_per_day": 1, "gaps": [rw.Gap(2)], "largest_costs": [[0.5]]}),
    "Problem.with_limits": (PROBLEM.with_limits, {"rounds_per_day": 1}),
    "Problem": (rw.Problem, {"arms": [ARM], "resources": [], "horizon": 5, "idle": False, "known_costs": None}),
    "Problem with known costs": (lambda rows: rw.Problem(PROBLEM.arms, PROBLEM.resources, 5, known_costs=rows),
                                 {"rows": [[0.1, None, None]] * 3}),
    "Outcomes": (rw.Outcomes, {"delay": 3, "missing": 0.5, "costs": None}),
    "World.with_outcomes": (WORLD.with_outcomes, {"outcomes": rw.Outcomes()}),
    "Problem.arm_index": (PROBLEM.arm_index, {"arm": 0}),
    "Problem.check_reward": (PROBLEM.check_reward, {"arm": 0, "reward": 1}),
    "Problem.with_budget": (PROBLEM.with_budget, {"budget": 1.0}),
    "Context": (rw.Context, {"name": "place", "values": ["home", "out"], "chances": [0.5, 0.5]}),
    "Context that goes round": (rw.Context, {"name": "hour", "cycle": ["day", "night"], "each": 2}),
    "Cost": (rw.Cost, {"kind": "fixed", "numbers": (0.5,), "weights": ()}),
    "Cost of choices": (rw.Cost, {"kind": "choices", "numbers": (0.5,), "weights": (1.0,)}),
    "Cost.fixed": (rw.Cost.fixed, {"value": 0.5}),
    "Cost.uniform": (rw.Cost.uniform, {"low": 0.1, "high": 0.2}),
    "Cost.bernoulli": (rw.Cost.bernoulli, {"chance": 0.1, "amount": 0.2}),
    "Cost.beta": (rw.Cost.beta, {"a": 1.0, "b": 1.0, "scale": 1.0}),
    "Cost.choices": (rw.Cost.choices, {"values": [0.1], "weights": [1.0]}),
    "World": (rw.World, {"problem": PROBLEM, "x0": WORLD.x0, "costs": WORLD.costs}),
    "World of other costs": (lambda row: rw.World(PROBLEM, WORLD.x0, [row, *WORLD.costs[1:]]), {"row": [0, 0, 0]}),
    "World of another cost": (lambda cost: rw.World(PROBLEM, WORLD.x0, [[cost, 0, 0], *WORLD.costs[1:]]), {"cost": 0}),
    "World.with_budget": (WORLD.with_budget, {"budget": 1.0}),
    "World.with_problem": (WORLD.with_problem, {"arms": PROBLEM.arms, "resources": PROBLEM.resources, "horizon": 5,
                                                "idle": True}),
    "load_world": (rw.load_world, {"path": "nothing.toml"}),
    "catalog.get": (rw.catalog.get, {"name": "paper"}),
    **{f"catalog.{name}": (getattr(rw.catalog, name), {"horizon": 9, "idle": True}) for name in PLAIN_WORLDS},
    "catalog.paper's budget": (rw.catalog.paper, {"budget": 9}),
    "catalog.many_arms's arms": (rw.catalog.many_arms, {"arms": 9}),
    "check_assumptions": (rw.check_assumptions, {"world": WORLD}),
    "theorem_radius": (rw.theorem_radius, {"problem": PROBLEM, "arm": 0, "n": 3, "horizon": 9, "scale": 1.0}),
    "solve_lp": (rw.solve_lp, {"rewards": [1.0], "costs": [[0.5]], "budget_rates": [0.2], "idle": True,
                               "infeasible": "normalise"}),
    "upper_bound": (rw.upper_bound, {"world": WORLD, "idle": True, "precision": 1e-3, "round_prices": "constant"}),
    "theorem": (rw.theorem, {"world": WORLD, "idle": True, "plan": None}),
    "exact": (rw.exact, {"world": WORLD.with_problem(horizon=1), "idle": True}),
    "nlp": (rw.nlp, {"world": WORLD, "idle": True, "rounds": 2}),
    "state_bounds": (rw.state_bounds, {"problem": PROBLEM, "arm": 0, "pulls": [1, 0], "rewards": [1.0],
                                       "radius": 0.1}),
    "simulate": (rw.simulate, {"world": WORLD, "policies": "ucb1", "replicates": 1, "seed": 0, "curves": False,
                               "threads": 1, "progress": None, "first_replicate": 0}),
    "simulate with a parameter": (lambda scale: rw.simulate(WORLD, ("ucb1", {"scale": scale})), {"scale": 1.0}),
    "simulate with parameters": (lambda given: rw.simulate(WORLD, ("ucb1", given)), {"given": {}}),
    "simulate a policy of one's own": (lambda chosen: rw.simulate(WORLD, made(chosen), replicates=1), {"chosen": 0}),
    "simulate a decision of one's own": (lambda arm: rw.simulate(WORLD, made(SimpleNamespace(arm=arm)), replicates=1),
                                         {"arm": 0}),
    "simulate with labels": (lambda spec: rw.simulate(WORLD, {"mine": spec}), {"spec": "ucb1"}),
    "simulate a part": (lambda part: rw.simulate(WORLD, {"rewards": "ucb1", "costs": part, "allocate": "argmax"}),
                        {"part": "none"}),
    "Runs.frame": (lambda kind: runs().frame(kind), {"kind": "pandas"}),
    "Runs.summary": (lambda bound: runs().summary(bound), {"bound": False}),
    "log_runs": (rw.log_runs, {"world": WORLD, "policy": "ucb1", "replicates": 1, "seed": 0}),
    "read_log": (rw.read_log, {"source": "nothing.csv", "arms": ["a"], "unit": "hours"}),
    "Log.frame": (lambda kind: log().frame(kind), {"kind": "pandas"}),
    "Log.micro_randomised": (lambda **given: log().micro_randomised(**given),
                             {"treatment": None, "kind": "pandas", "complete": True}),
    "fit": (rw.fit, {"log": invented_log(20, 10), "family": "bernoulli", "subject_effects": True, "start": "rested",
                     "covariates": [], "trend": True, "common": True, "second": "slow", "arms": None, "unit": None}),
    # Of a log without outcomes, so that nothing is sampled, which takes long.
    "sample_posterior": (rw.sample_posterior, {"log": unseen(), "family": "bernoulli", "subject_effects": True,
                                               "start": "rested", "draws": 2, "warmup": 1, "chains": 1, "seed": 0}),
    "compare_models": (rw.compare_models, {"log": invented_log(12, 6), "family": "bernoulli", "start": "rested",
                                           "covariates": [], "folds": 2, "seed": 0, "progress": None, "arms": None,
                                           "unit": None}),
    "write_fit_report": (lambda **given: rw.write_fit_report(**{"fit": fit(), **given}),
                         {"log": invented_log(), "path": f"{tempfile.mkdtemp()}/report.html", "comparison": None}),
    "Fit.problem": (lambda **given: fit().problem(**given),
                    {"horizon": 10, "budgets": {"minutes": 5.0}, "idle": True, "round_length": 1.0, "learn": True}),
    "Fit.prior": (lambda **given: fit().prior(**given), {"round_length": 1.0}),
    "Fit.problem with a budget": (lambda budget: fit().problem(10, {"minutes": budget}), {"budget": 5.0}),
    "Fit.world": (lambda **given: fit().world(**given),
                  {"horizon": 10, "budgets": {"minutes": 5.0}, "idle": True, "round_length": 1.0}),
    "Fit.design": (lambda **given: fit().design(**given),
                   {"arm": "call", "subjects": 5, "rounds": 4, "pulls": None, "schedules": {"own": [1, 3]},
                    "round_length": 1.0, "draws": 2, "seed": 0}),
    "Fit.design with a schedule": (lambda rounds: fit().design("call", rounds=4, draws=2, schedules={"own": rounds}),
                                   {"rounds": [1, 3]}),
    "TrialDesign.plan": (lambda **given: fit().design("call", rounds=4, draws=2).plan(**given),
                         {"subject": 0, "schedule": None}),
    "Fit.drawn": (lambda seed: fit().drawn(seed), {"seed": 0}),
    "replay": (lambda log, **given: rw.replay(**{"policy": rw.make_policy("ucb1", PROBLEM)} | {"log": log} | given),
               {"log": invented_log(20, 10), "subject": "subject 1", "round_length": 1.0}),
    "replay into a policy": (rw.replay, {"policy": None, "log": invented_log(20, 10)}),
    "off_policy": (rw.off_policy, {"log": invented_log(20, 10), "policy": ["call"], "rounds": 1, "fit": None,
                                   "round_length": None}),
    "off_policy with an answer": (lambda arm: rw.off_policy(invented_log(20, 10), lambda history: arm, 1),
                                  {"arm": "call"}),
    "off_policy with a dict": (lambda chance: rw.off_policy(invented_log(20, 10), lambda history: {"call": chance}, 1),
                               {"chance": 1.0}),
    "what_if": (rw.what_if, {"log": invented_log(2, 10), "budgets": {"minutes": 5.0}, "horizon": 5, "family": "poisson",
                             "fit": None, "draws": 5, "seed": 0, "round_length": None, "progress": None, "arms": None,
                             "unit": None}),
    "make_policy": (rw.make_policy, {"name": "ucb1", "problem": PROBLEM, "seed": 0, "scale": 1.0}),
    "Recipe": (rw.Recipe, {"name": "a", "summary": "b", "rewards": UCB1.rewards, "costs": UCB1.costs,
                           "allocate": UCB1.allocate, "setting": "stationary", "budget": "one", "reference": "",
                           "defaults": {}, "fixed": {}, "first_pulls": True}),
    "Recipe.complete": (UCB1.complete, {"given": {}}),
    "Part": (rw.Part, {"role": "rewards", "name": "a", "summary": "b", "build": len, "parameters": {},
                       "first_pulls": True, "check": len, "gives": set(), "needs": set(), "fixes": {},
                       "only_for": set(), "draws": False}),
    "Analysis[]": (lambda name: analysis()[name], {"name": "Theorem 2"}),
    "add_policy": (rw.add_policy, {"recipe": None}),
    "restore_policy": (rw.restore_policy, {"state": None}),
    "restore_policy with its problem": (restored, {"state": OWN_STATE, "problem": PROBLEM}),
    "Policy": (rw.Policy, {"template": None, "seed": 0}),
    "Policy.select": (lambda **given: policy().select(**given), {"available": [0]}),
    "Policy.preview": (lambda **given: policy().preview(**given), {"available": ["arm 1"]}),
    "Policy.follow": (lambda **given: policy().follow(**given), {"arm": 0}),
    "Policy.update": (
        lambda decision, reward, costs: policy().update(decision, reward, costs),
        {"decision": 0, "reward": 1, "costs": [0.1, 0.1, 0.1]},
    ),
    "Policy.update of what was selected": (
        lambda reward, costs: policy().update(policy().select(), reward, costs),
        {"reward": 1, "costs": [0.0, 0.0, 0.0]},
    ),
    "Policy.amend": (
        lambda **given: policy().amend(policy().select(), **given),
        {"reward": (0, 1), "costs": ([0.0, 0.0, 0.0], [0.0, 0.0, 0.1])},
    ),
    "Policy.cancel": (lambda **given: policy().cancel(**given), {"decision": 0}),
    "Policy.skip": (lambda **given: policy().skip(**given), {"rounds": 2}),
    "Policy.forget": (lambda **given: policy().forget(**given), {"decision": 0}),
    "Policy.state": (lambda **given: policy().state(**given), {"problem": False}),
}  # fmt: skip


# What functions return is not made by hand, and studies have tests of their own.
RETURNED = {
    "Allocation",
    "Bound",
    "Decision",
    "FractionalPlan",
    "LoggedRounds",
    "ModelComparison",
    "OffPolicy",
    "Optimum",
    "PosteriorSample",
    "StateBounds",
    "WhatIf",
}
ELSEWHERE = {
    "Hooks",
    "InputError",
    "PlainPolicy",
    "Results",
    "write_results",
    "Study",
    "load_study",
    "open_results",
    "run_study",
}


def outcomes(call: Callable[..., Any], given: Given, wrong: Any) -> Iterator[tuple[str, BaseException]]:
    """What is raised with every argument replaced by what is wrong, one at a time and then all."""
    for changed in [*([name] for name in given), list(given)]:
        if "progress" in changed and callable(wrong):
            continue  # what a function of the user's own raises is the user's
        try:
            call(**{**given, **dict.fromkeys(changed, wrong)})
        except Exception as error:
            yield " and ".join(changed), error


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_taken_or_refused_in_one_sentence(name: str) -> None:
    call, given = CALLS[name]
    for what, wrong in WRONG.items():
        for argument, error in outcomes(call, given, wrong):
            told = f"{what} for {argument}: {type(error).__name__}: {str(error)[:200]}"
            assert isinstance(error, rw.InputError), told
            assert "\n" not in str(error), told
            assert ": " in str(error), told
            assert len(str(error)) < 700, told


def test_every_public_name_is_tried() -> None:
    tried = {name.partition(" ")[0].partition(".")[0].partition("[")[0] for name in CALLS}
    assert tried | RETURNED | ELSEWHERE >= set(vars(rw)["__all__"]) - {"policies"}
