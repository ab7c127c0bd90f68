import numpy as np
import pytest

from roguewk.learn.curvature import covariances, newton_step
from roguewk.learn.job import Job, make_ready
from roguewk.learn.model import Slopes
from roguewk.learn.movement import Together, climb_by, followers
from roguewk.learn.posterior import beside
from roguewk.learn.profile import own_interval, trace
from roguewk.learn.search import search
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, WIDTH
from roguewk.learn.solve import Peak, climb
from roguewk.learn.terms import Terms
from roguewk.problem.family.registry import family_named
from tests.learn.logs import simulated
from tests.learn.rich_logs import Truth, rich


@pytest.fixture(scope="module", params=[False, True])
def case(request: pytest.FixtureRequest) -> tuple[Job, Peak]:
    """A plain log, and one of normal rewards with unknown starts and a trend."""
    bernoulli, gaussian = family_named("bernoulli"), family_named("gaussian")
    if request.param:
        log = rich(3, Truth(trend=-0.01), subjects=60, normal=True)
        job = make_ready(log, gaussian, True, True, Terms(trend=True))
    else:
        job = make_ready(simulated(3, subjects=60), bernoulli, True, False)
    return job, climb(job.model, search(job.sample, job.first_guess, job.region), job.region, enough=1e-10)


def test_rows_that_are_kept_are_those_of_the_whole_hessian(case: tuple[Job, Peak]) -> None:
    job, top = case
    for arm in range(job.model.arms):
        movement = followers(job.model, top, job.region).arm(arm)
        at = top.parameters + 0.01  # where nodes are centred depends a little on where they were before
        assert movement.model.at(at).hessian == pytest.approx(
            job.model.at(at).hessian[movement.own], rel=1e-3, abs=1e-3
        )


def test_while_one_arm_moves_others_follow_to_where_all_would_climb(case: tuple[Job, Peak]) -> None:
    job, top = case
    for arm in range(job.model.arms):
        movement, push = followers(job.model, top, job.region).arm(arm), job.model.place(arm, PUSH)
        start = top.parameters.copy()
        start[push] *= 0.5
        found, judge = (climb_by(way, start, job.region.without(push), 1e-8) for way in (movement, Together(job.model)))
        assert found.value == pytest.approx(judge.value, abs=1e-6)
        assert found.parameters == pytest.approx(judge.parameters, abs=1e-3)


def test_profiles_are_the_same_whether_others_follow_or_all_move(case: tuple[Job, Peak]) -> None:
    job, top = case
    for arm in range(job.model.arms):
        place = job.model.place(arm, LOG_HALF_LIFE)
        ways = followers(job.model, top, job.region).arm(arm), Together(job.model)
        one, all_ = (trace(way, top, job.region, place, beside=beside(place)) for way in ways)
        assert own_interval(one) == pytest.approx(own_interval(all_), abs=5e-3)
        assert one.covariances[one.top] == pytest.approx(all_.covariances[all_.top], rel=1e-6)


def test_arms_apart_step_as_one_system_does(case: tuple[Job, Peak]) -> None:
    job, top = case
    apart = job.model.given_subjects()
    slopes = apart.at(top.parameters)
    whole = np.zeros((job.model.size, job.model.size))
    for a, block in enumerate(slopes.hessian):
        whole[a * WIDTH : (a + 1) * WIDTH, a * WIDTH : (a + 1) * WIDTH] = block
    free = job.region.free.copy()
    free[job.model.setting.shared :] = free[PUSH] = False
    judge = newton_step(Slopes(slopes.value, slopes.gradient, whole), free)
    assert newton_step(slopes, free) == pytest.approx(judge, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("upwards", [False, True])
def test_many_parameters_have_the_covariances_of_the_inverse(upwards: bool) -> None:
    luck = np.random.default_rng(0)
    root = luck.normal(size=(60, 90))
    curvature = np.kron(np.eye(15), np.full((4, 4), 5.0)) + root @ root.T / 90
    if upwards:  # one arm bends upwards on its own: it is its sizes that count
        curvature[:4] = curvature[:, :4] = 0.0
        curvature[range(4), range(4)] = 1.0, -2.0, 3.0, 4.0
    free = np.ones(60, bool)
    free[7] = False
    found = covariances(Slopes(0.0, np.zeros(60), -curvature), free, [1, 7, 30])
    judge = np.linalg.inv(curvature[np.ix_(free, free)])
    assert found[0, 0] == pytest.approx(0.5 if upwards else judge[1, 1])
    assert found[2, 2] == pytest.approx(judge[29, 29])
    assert np.isnan(found[1]).all()
