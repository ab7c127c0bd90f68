"""Subjects whose wear differs, beside their levels: `wear_spread u_s h` is added to the level of a pull.

The `u_s` are standard normal, independent of the subject's level `v_s`; both are integrated out by nodes around the
mode of each subject, turned and stretched as the curvature there says. Derivatives in a half-life then differ from node
to node, so they are added up node by node: slower than with levels alone, and asked for seldom.
"""

import math

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, START, WIDTH, Room, Setting
from roguewk.learn.shared import bend_by, fill_slopes
from roguewk.learn.wear import faded
from roguewk.problem.family import compiled as families

STEPS = 20  # towards the mode of a subject
NEAR = 0.01  # how far from it nodes may be centred, in units of the population
LONGEST = 2.0  # step


@compiled
def lay_nodes_for_wear(setting: Setting, at: Vector, room: Room, s: int, levels: Vector, precision: float) -> float:
    """Move a subject's mode to where it is and lay nodes around it; the log of what they are stretched by."""
    spread, wear_spread = at[at.size - 2], at[setting.varies]
    first, last = setting.pulls.begin[s], setting.pulls.begin[s + 1]
    v, u = room.mode[s], room.wear_mode[s]
    if setting.nodes.size == 1:
        room.place[0], room.wear_place[0] = v, u
        return 0.0
    vv, uv, uu = 1.0, 0.0, 1.0
    for _ in range(STEPS):
        vv, uv, uu, by_v, by_u = 1.0, 0.0, 1.0, -v, -u
        for i in range(first, last):
            y = setting.pulls.outcome[i]
            if y == y:
                slope = wear_spread * room.worn[i, 0]
                mean = families.mean_of_level(setting.family, levels[i - first] + spread * v + slope * u)
                residual, weight = precision * (y - mean), precision * families.variance(setting.family, mean)
                by_v += spread * residual
                by_u += slope * residual
                vv += spread * spread * weight
                uv += spread * slope * weight
                uu += slope * slope * weight
        determinant = vv * uu - uv * uv
        step_v, step_u = (uu * by_v - uv * by_u) / determinant, (vv * by_u - uv * by_v) / determinant
        largest = max(abs(step_v), abs(step_u))
        if largest > LONGEST:
            step_v, step_u = step_v * LONGEST / largest, step_u * LONGEST / largest
        v, u = v + step_v, u + step_u
        if largest < NEAR * min(1.0, math.sqrt(1.0 / max(vv, uu))):
            break
    room.mode[s], room.wear_mode[s] = v, u
    # The root of the inverse curvature, below the diagonal.
    root_v = math.sqrt(uu / (vv * uu - uv * uv))
    root_u, mixed = 1.0 / math.sqrt(uu), -uv / uu * root_v
    for k in range(setting.nodes.size):
        room.place[k] = v + math.sqrt(2.0) * root_v * setting.nodes[k]
        room.wear_place[k] = u + math.sqrt(2.0) * (mixed * setting.nodes[k] + root_u * setting.wear_nodes[k])
    return math.log(root_v) + math.log(root_u)


@compiled
def add_pull_of_varying(setting: Setting, at: Vector, room: Room, i: int, place: int) -> None:
    """Add what a pull says to the scores of the nodes and to the expected second derivatives."""
    p, tau, noise, omega = setting.pulls.arm[i] * WIDTH, at.size - 2, at.size - 1, setting.varies
    h, slope, bend = room.worn[i, 0], room.worn[i, 1], room.worn[i, 2]
    start, start_slope, start_bend = 0.0, 0.0, 0.0
    if setting.starts:
        start, start_slope, start_bend = faded(setting.pulls.elapsed[i], math.exp(at[p + LOG_HALF_LIFE]))
    for k in range(setting.nodes.size):
        u, push = room.wear_place[k], at[p + PUSH] + at[omega] * room.wear_place[k]
        r, w = room.joint[k] * room.residual[k, place], room.joint[k] * room.weight[k, place]
        d = (1.0, h, push * slope + at[p + START] * start_slope, start)
        for j in range(WIDTH):
            room.score[k, p + j] += room.residual[k, place] * d[j]
            for m in range(j + 1):
                bend_by(room, p + j, p + m, -w * d[j] * d[m])
            bend_by(room, noise, p + j, -2.0 * r * d[j])
        bend_by(room, p + LOG_HALF_LIFE, p + PUSH, r * slope)
        bend_by(room, p + START, p + LOG_HALF_LIFE, r * start_slope)
        bend_by(room, p + LOG_HALF_LIFE, p + LOG_HALF_LIFE, r * (push * bend + at[p + START] * start_bend))
        bend_by(room, omega, p + LOG_HALF_LIFE, r * u * slope)
        count = fill_slopes(setting, at, room, i, r)
        room.slope_place[count], room.slope[count] = omega, u * h
        room.slope_place[count + 1], room.slope[count + 1] = tau, room.place[k]
        for e in range(count + 2):
            q, by = room.slope_place[e], room.slope[e]
            room.score[k, q] += room.residual[k, place] * by
            for j in range(WIDTH):
                bend_by(room, q, p + j, -w * by * d[j])
            for f in range(e + 1):
                bend_by(room, q, room.slope_place[f], -w * by * room.slope[f])
            bend_by(room, noise, q, -2.0 * r * by)
