"""The likelihood of a log and its slopes, subject by subject.

A pull of arm a by subject s has the level `rested_a + push_a h + start_a 2^(-elapsed / half_life_a) + spread v_s`, and
what all arms share (`shared.py`); `wear.py` says how the wear h goes on, `varying.py` how it may differ by subject. The
`v_s` are standard normal and integrated out by adaptive Gauss-Hermite quadrature: nodes around the mode of each
subject, so that few suffice.
"""

import math

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.learn.setting import LOG_2, LOG_HALF_LIFE, PUSH, RESTED, START, WIDTH, Room, Setting
from roguewk.learn.shared import add_shared, bend_by, shared_level
from roguewk.learn.varying import add_pull_of_varying, lay_nodes_for_wear
from roguewk.learn.wear import faded, wear_further, wear_out
from roguewk.problem.family import compiled as families

STEPS = 12  # towards the mode of a subject; concave, so few are needed, and they start where the last search ended
NEAR = 0.02  # standard deviations from the mode at which nodes may be centred
LOG_2_PI = math.log(2 * math.pi)


@compiled
def level_of(setting: Setting, at: Vector, room: Room, i: int) -> float:
    """The level of a pull for the average subject."""
    p = setting.pulls.arm[i] * WIDTH
    level = at[p + RESTED] + at[p + PUSH] * room.worn[i, 0] + shared_level(setting, at, room, i)
    if setting.starts:
        level += at[p + START] * faded(setting.pulls.elapsed[i], math.exp(at[p + LOG_HALF_LIFE]))[0]
    return level


@compiled
def find_mode(setting: Setting, at: Vector, room: Room, s: int, levels: Vector, precision: float) -> float:
    """Move a subject's mode to where it is; the standard deviation there."""
    spread = at[at.size - 2]
    first, last = setting.pulls.begin[s], setting.pulls.begin[s + 1]
    v, bend = room.mode[s], 1.0
    for _ in range(STEPS):
        slope, bend = -v, 1.0
        for i in range(first, last):
            y = setting.pulls.outcome[i]
            if y == y:
                mean = families.mean_of_level(setting.family, levels[i - first] + spread * v)
                slope += spread * precision * (y - mean)
                bend += spread * spread * precision * families.variance(setting.family, mean)
        step = min(max(slope / bend, -2.0), 2.0)
        v += step
        if abs(step) * math.sqrt(bend) < NEAR:
            break
    room.mode[s] = v
    return 1.0 / math.sqrt(bend)


@compiled
def lay_nodes(setting: Setting, at: Vector, room: Room, s: int, levels: Vector, precision: float) -> float:
    """Lay nodes around the mode of a subject; the log of what they are stretched by."""
    if setting.varies >= 0:
        return lay_nodes_for_wear(setting, at, room, s, levels, precision)
    sd = 1.0
    if setting.nodes.size > 1:
        sd = find_mode(setting, at, room, s, levels, precision)
    for k in range(setting.nodes.size):
        room.place[k] = room.mode[s] + math.sqrt(2.0) * sd * setting.nodes[k]
    return math.log(sd)


@compiled
def weigh_nodes(setting: Setting, at: Vector, room: Room, s: int, stretch: float, levels: Vector) -> float:
    """Fill `residual`, `weight`, `misfit` and, as shares of the integral, `joint`; the log of the integral."""
    spread, log_noise = at[at.size - 2], at[at.size - 1]
    precision = math.exp(-2.0 * log_noise)
    first, last = setting.pulls.begin[s], setting.pulls.begin[s + 1]
    top = -math.inf
    for k in range(setting.nodes.size):
        v = room.place[k]
        total, seen, misfit = 0.0, 0, 0.0
        for i in range(first, last):
            y = setting.pulls.outcome[i]
            if y == y:
                level = levels[i - first] + spread * v
                if setting.varies >= 0:
                    level += at[setting.varies] * room.wear_place[k] * room.worn[i, 0]
                b, mean = families.log_partition(setting.family, level)
                gain = y * level - b
                total += gain
                if setting.nodes.size == 1:
                    room.by_arm[setting.pulls.arm[i]] += gain
                misfit += 2.0 * (setting.pulls.certain[i] - gain)
                seen += 1
                room.residual[k, i - first] = precision * (y - mean)
                room.weight[k, i - first] = precision * families.variance(setting.family, mean)
        room.misfit[k] = precision * misfit - seen
        if setting.noisy:
            total = -0.5 * precision * misfit - seen * log_noise
        room.joint[k] = total - 0.5 * v * v + setting.weights[k] + stretch - 0.5 * LOG_2_PI + 0.5 * LOG_2
        if setting.varies >= 0:
            room.joint[k] += -0.5 * room.wear_place[k] ** 2 - 0.5 * LOG_2_PI + 0.5 * LOG_2
        top = max(top, room.joint[k])
    whole = 0.0
    for k in range(setting.nodes.size):
        room.joint[k] = math.exp(room.joint[k] - top)
        whole += room.joint[k]
    for k in range(setting.nodes.size):
        room.joint[k] /= whole
    return top + math.log(whole)


@compiled
def add_pull(setting: Setting, at: Vector, room: Room, i: int, place: int) -> None:
    """Add what a pull says to the scores of the nodes and to the expected second derivatives."""
    p = setting.pulls.arm[i] * WIDTH
    tau, noise = at.size - 2, at.size - 1
    h, slope, bend = room.worn[i, 0], room.worn[i, 1], room.worn[i, 2]
    start, start_slope, start_bend = 0.0, 0.0, 0.0
    if setting.starts:
        start, start_slope, start_bend = faded(setting.pulls.elapsed[i], math.exp(at[p + LOG_HALF_LIFE]))
    by_half_life = at[p + PUSH] * slope + at[p + START] * start_slope
    d = (1.0, h, by_half_life, start)
    r, w, wv, wvv, rv = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(setting.nodes.size):
        share, v = room.joint[k], room.place[k]
        residual, weight = room.residual[k, place], share * room.weight[k, place]
        for j in range(WIDTH):
            room.score[k, p + j] += residual * d[j]
        room.score[k, tau] += residual * v
        r += share * residual
        rv += share * residual * v
        w += weight
        wv += weight * v
        wvv += weight * v * v
    if room.row[p] >= 0:
        for j in range(WIDTH):
            for m in range(j + 1):
                bend_by(room, p + j, p + m, -w * d[j] * d[m])
        bend_by(room, p + LOG_HALF_LIFE, p + PUSH, r * slope)
        bend_by(room, p + START, p + LOG_HALF_LIFE, r * start_slope)
        bend_by(room, p + LOG_HALF_LIFE, p + LOG_HALF_LIFE, r * (at[p + PUSH] * bend + at[p + START] * start_bend))
    for j in range(WIDTH):
        bend_by(room, tau, p + j, -wv * d[j])
        bend_by(room, noise, p + j, -2.0 * r * d[j])
    bend_by(room, tau, tau, -wvv)
    bend_by(room, noise, tau, -2.0 * rv)
    if at.size > setting.shared + 2:
        add_shared(setting, at, room, i, place, d, (r, w, wv))


@compiled
def touch(setting: Setting, room: Room, first: int, last: int) -> int:
    """List the parameters that these pulls depend on, in rising order, and clear their scores; how many they are."""
    arms = room.is_touched.size
    for i in range(first, last):
        room.is_touched[setting.pulls.arm[i]] = True
    count = 0
    for a in range(arms):
        if room.is_touched[a]:
            room.is_touched[a] = False
            for j in range(WIDTH):
                room.touched[count] = a * WIDTH + j
                count += 1
    for j in range(setting.shared, setting.size):
        room.touched[count] = j
        count += 1
    for k in range(setting.nodes.size):
        for j in range(count):
            room.score[k, room.touched[j]] = 0.0
    return count


@compiled
def _covariance(setting: Setting, room: Room, p: int, q: int) -> float:
    both = 0.0
    for k in range(setting.nodes.size):
        both += room.joint[k] * room.score[k, p] * room.score[k, q]
    return both


@compiled
def add_scores(setting: Setting, room: Room, count: int) -> None:
    """Add the mean of the scores to the gradient, and their covariance to the Hessian (Louis' rule)."""
    kept = 0
    for j in range(count):
        p, mean = room.touched[j], 0.0
        for k in range(setting.nodes.size):
            mean += room.joint[k] * room.score[k, p]
        room.gradient[p] += mean
        if setting.nodes.size == 1:
            continue
        for k in range(setting.nodes.size):
            room.score[k, p] -= mean
        if room.row[p] >= 0:
            room.kept[kept] = p
            kept += 1
            for m in range(j + 1):
                bend_by(room, p, room.touched[m], _covariance(setting, room, p, room.touched[m]))
        else:
            for m in range(kept):
                bend_by(room, p, room.kept[m], _covariance(setting, room, p, room.kept[m]))


@compiled_for_threads
def add_subjects(setting: Setting, at: Vector, room: Room, levels: Vector, first: int, last: int) -> None:
    """Add the log-likelihood of the subjects from `first` to before `last`, its gradient and lower Hessian."""
    noise = at.size - 1
    precision = math.exp(-2.0 * at[noise])
    for s in range(first, last):
        begin, end = setting.pulls.begin[s], setting.pulls.begin[s + 1]
        if begin == end:
            continue
        wear_out(setting.pulls, setting.lag, at, begin, end, room.worn)
        wear_further(setting, at, begin, end, room.further)
        for i in range(begin, end):
            levels[i - begin] = level_of(setting, at, room, i)
        stretch = lay_nodes(setting, at, room, s, levels, precision)
        room.by_subject[s] = weigh_nodes(setting, at, room, s, stretch, levels)
        room.value[0] += room.by_subject[s]
        count = touch(setting, room, begin, end)
        for i in range(begin, end):
            if setting.pulls.outcome[i] == setting.pulls.outcome[i]:
                if setting.varies >= 0:
                    add_pull_of_varying(setting, at, room, i, i - begin)
                else:
                    add_pull(setting, at, room, i, i - begin)
        for k in range(setting.nodes.size):
            room.score[k, noise] = room.misfit[k]
        seen_misfit = 0.0
        for k in range(setting.nodes.size):
            seen_misfit += room.joint[k] * room.misfit[k]
        for i in range(begin, end):
            if setting.pulls.outcome[i] == setting.pulls.outcome[i]:
                seen_misfit += 1.0
        bend_by(room, noise, noise, -2.0 * seen_misfit)
        add_scores(setting, room, count)


@compiled_for_threads
def fill_worn(setting: Setting, at: Vector, worn: Vector, further: Vector) -> None:
    """The wear before every pull, with its derivatives: that of its arm and that of further states."""
    wear_out(setting.pulls, setting.lag, at, 0, setting.pulls.arm.size, worn)
    wear_further(setting, at, 0, setting.pulls.arm.size, further)


@compiled_for_threads
def fill_certain(family: int, rewards: Vector, certain: Vector) -> None:
    """The log-likelihood of rewards at their own levels, up to the constant that all levels share."""
    for i in range(rewards.size):
        y = rewards[i]
        if y == y:
            level = families.level_of_mean(family, families.kept(family, y))
            certain[i] = y * level - families.log_partition(family, level)[0]
