"""The penalised log-likelihood of a log as a smooth function of its parameters."""

import functools
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.learn.likelihood import add_subjects, fill_worn
from roguewk.learn.setting import LOG_HALF_LIFE, RESTED, WIDTH, Room, Setting

SPREAD = 10.0  # the ridge prior: standard deviation of levels, pushes, starts and subjects, in log-odds and the like
QUIETEST = (
    1e-3  # noise, in sds of reward, that the prior adds: with less, what is known could not be told from what is not
)
STRETCHES = 8  # of subjects; always as many, so that sums are the same on every machine
WORTH_THREADS = 20_000  # pulls


class Slopes(NamedTuple):
    """The function, its gradient and Hessian at a place."""

    value: float
    gradient: Vector  # (parameter,)
    hessian: Vector  # (parameter, parameter); (kept, parameter) or (arm, WIDTH, WIDTH) of models that keep no more


class PriorSlopes(NamedTuple):
    """The log of the prior, its gradient and second derivatives; parameters are independent in it."""

    value: float
    gradient: Vector  # (parameter,)
    bends: Vector  # (parameter,)


@functools.cache
def quadrature(count: int) -> tuple[Vector, Vector]:
    """Nodes of Gauss and Hermite and the logs of their weights times exp(node^2)."""
    nodes, weights = np.polynomial.hermite.hermgauss(count)
    return nodes, np.log(weights) + nodes**2


@functools.cache
def square_quadrature(count: int) -> tuple[Vector, Vector, Vector]:
    """The same in two dimensions: the nodes along either, and the logs of weights."""
    nodes, weights = quadrature(count)
    return np.repeat(nodes, count), np.tile(nodes, count), np.add.outer(weights, weights).ravel()


@dataclass(frozen=True, eq=False)
class Model:
    """A log with all that its likelihood needs but the parameters.

    Parameters are, for each arm, its rested level, push per use, log half-life and start, then what arms share, the
    spread or spreads of subjects and the log of the noise. All but half-lives and noise have a ridge prior of standard
    deviation SPREAD, levels around `centre` and the others around 0.
    """

    setting: Setting
    arms: int
    centre: float
    rooms: tuple[Room, ...]
    levels: tuple[Vector, ...]  # (pull of a subject,) a room each
    bounds: tuple[int, ...]  # of the stretches of subjects
    kept: Any = None  # (kept,) places of the parameters of which the Hessian has rows, if it has not all
    apart: bool = False  # whether the Hessian is kept within arms alone

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.setting.size

    @property
    def spread(self) -> int:
        """The place of the spread of subjects."""
        return self.size - 2

    def place(self, arm: int, which: int) -> int:
        """The place of a parameter of an arm."""
        return arm * WIDTH + which

    @functools.cached_property
    def observed(self) -> int:
        """How many outcomes there are."""
        return int((~np.isnan(self.setting.pulls.outcome)).sum())

    @property
    def spreads(self) -> list[int]:
        """The places of all spreads of subjects: that of their wear, if it differs, and that of their levels."""
        return [self.setting.varies, self.spread] if self.setting.varies >= 0 else [self.spread]

    @property
    def half_lives(self) -> list[int]:
        """The places of all log half-lives: those of the arms, then those of further states."""
        return [*range(LOG_HALF_LIFE, self.setting.shared, WIDTH), *self.setting.states.tolist()]

    def at(self, parameters: Vector) -> Slopes:
        """The penalised log-likelihood there."""
        for room in self.rooms:
            for total in (room.value, room.gradient, room.hessian, room.by_arm):
                total.fill(0.0)
        jobs = [
            (self.setting, parameters, room, levels, first, last)
            for room, levels, first, last in zip(
                self.rooms, self.levels, self.bounds[:-1], self.bounds[1:], strict=True
            )
        ]
        with compiling("the likelihood of logs"):
            if len(jobs) == 1:
                add_subjects(*jobs[0])
            else:
                # Made anew each time, which is nothing beside the work: a pool that is kept would not survive a fork.
                with ThreadPoolExecutor(min(STRETCHES, os.cpu_count() or 1)) as threads:
                    list(threads.map(lambda job: add_subjects(*job), jobs))
        value, gradient = sum(float(room.value[0]) for room in self.rooms), sum(room.gradient for room in self.rooms)
        prior = self.prior(parameters)
        hessian = self._hessian(np.asarray(sum(room.hessian for room in self.rooms)), prior.bends)
        return Slopes(value + prior.value, gradient + prior.gradient, hessian)

    def _hessian(self, filled: Vector, prior: Vector) -> Vector:
        """What the sweep has filled, made symmetric and with the prior's part."""
        if self.apart:
            blocks = filled[: self.setting.shared, :WIDTH].reshape(self.arms, WIDTH, WIDTH)
            result = blocks + np.swapaxes(blocks, 1, 2)
            diagonal = np.einsum("aii->ai", result)
            diagonal[:] = 0.5 * diagonal + prior[: self.setting.shared].reshape(self.arms, WIDTH)
            return np.asarray(result)
        if self.kept is not None:
            both = filled[:, self.kept]
            filled[:, self.kept] = np.tril(both) + np.tril(both, -1).T
            filled[range(len(self.kept)), self.kept] += prior[self.kept]
            return filled
        result = filled + filled.T  # nothing is filled above the diagonal
        diagonal = np.einsum("ii->i", result)
        diagonal[:] = 0.5 * diagonal + prior
        return np.asarray(result)

    @functools.cached_property
    def _ridged(self) -> Vector:
        """(parameter,) 1 for those that the prior holds, 0 for others."""
        ridged = np.ones(self.size)
        ridged[self.half_lives] = ridged[-1] = 0.0
        return ridged

    def prior(self, parameters: Vector) -> "PriorSlopes":
        """The log of the prior there, up to a constant."""
        ridged = self._ridged
        away = ridged * parameters
        away[RESTED : self.setting.shared : WIDTH] -= self.centre
        value, gradient, bends = -0.5 * float(away @ away) / SPREAD**2, -away / SPREAD**2, ridged / -(SPREAD**2)
        if self.setting.noisy:
            held = self.observed * QUIETEST**2 * np.exp(-2 * parameters[-1])
            value -= 0.5 * held
            gradient[-1] += held
            bends[-1] -= 2 * held
        return PriorSlopes(value, gradient, bends)

    def last_by_arm(self) -> Vector:
        """(arm,) what each added to the log-likelihood as last worked out, at unit noise and given subjects."""
        return np.asarray(sum(room.by_arm for room in self.rooms))

    def given_subjects(self) -> "Model":
        """The model in which subjects have the levels that were last found likeliest: arms then are independent."""
        nodes, weights = quadrature(1)
        setting = self.setting._replace(nodes=nodes, weights=weights, wear_nodes=nodes)
        # One column more takes what is not within arms.
        row, column = np.arange(self.size), np.arange(self.size) % WIDTH
        row[self.setting.shared :], column[self.setting.shared :] = -1, WIDTH
        other = build_model(setting, self.arms, self.centre, row, column)
        for room in other.rooms:
            room.mode[:] = self.rooms[0].mode
            room.wear_mode[:] = self.rooms[0].wear_mode
        return replace(other, apart=True)

    def keeping(self, places: Any) -> "Model":
        """The same model, which works out the Hessian's rows at these places alone; memory but theirs is shared."""
        row = np.full(self.size, -1)
        row[places] = np.arange(len(places))
        rooms = tuple(room._replace(row=row, hessian=np.zeros((len(places), self.size))) for room in self.rooms)
        return replace(self, rooms=rooms, kept=places)

    def by_subject(self, parameters: Vector) -> Vector:
        """(subject,) what each adds to the log-likelihood; nothing if there is no pull."""
        self.at(parameters)
        return self.rooms[0].by_subject

    def worn(self, parameters: Vector) -> Vector:
        """(pull,) the wear before every pull."""
        return np.ascontiguousarray(self.worn_with_slopes(parameters)[0][:, 0])

    def worn_with_slopes(self, parameters: Vector) -> tuple[Vector, Vector]:
        """(pull, 3) of each pull's own arm and (state, pull, 3): wear and its derivatives in log half-life."""
        worn, further = _wear(self.setting)
        fill_worn(self.setting, parameters, worn, further)
        return worn, further


def _wear(setting: Setting) -> tuple[Vector, Vector]:
    pulls = setting.pulls.arm.size
    return np.zeros((pulls, 3)), np.zeros((setting.states.size, pulls, 3))


def build_model(setting: Setting, arms: int, centre: float, row: Any = None, column: Any = None) -> Model:
    """A model with memory of its own; `row` and `column` (parameter,) are the places in its Hessian."""
    row, column = (np.arange(setting.size) if places is None else places for places in (row, column))
    pulls, nodes = setting.pulls, setting.nodes.size
    size, subjects = setting.size, pulls.begin.size - 1
    stretches = STRETCHES if pulls.arm.size > WORTH_THREADS else 1
    shares = np.linspace(0, pulls.arm.size, stretches + 1)
    bounds = (0, *np.searchsorted(pulls.begin, shares[1:-1]).tolist(), subjects)
    longest = int(np.diff(pulls.begin).max(initial=1))
    mode, wear_mode, by_subject = np.zeros(subjects), np.zeros(subjects), np.zeros(subjects)
    worn, further = _wear(setting)
    slopes = pulls.columns.shape[1] + 2 * setting.states.size + 2 * (setting.varies >= 0)
    rooms = tuple(
        Room(
            mode=mode,
            wear_mode=wear_mode,
            worn=worn,
            further=further,
            residual=np.zeros((nodes, longest)),
            weight=np.zeros((nodes, longest)),
            score=np.zeros((nodes, size)),
            joint=np.zeros(nodes),
            place=np.zeros(nodes),
            wear_place=np.zeros(nodes),
            misfit=np.zeros(nodes),
            touched=np.zeros(size, dtype=np.int64),
            is_touched=np.zeros(arms, dtype=np.bool_),
            slope_place=np.zeros(slopes, dtype=np.int64),
            slope=np.zeros(slopes),
            value=np.zeros(1),
            gradient=np.zeros(size),
            hessian=np.zeros((int(row.max()) + 1, int(column.max()) + 1)),
            row=row,
            column=column,
            kept=np.zeros(size, dtype=np.int64),
            by_arm=np.zeros(arms),
            by_subject=by_subject,
        )
        for _ in range(stretches)
    )
    return Model(setting, arms, centre, rooms, tuple(np.zeros(longest) for _ in rooms), tuple(bounds))
