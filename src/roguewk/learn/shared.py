"""What all arms share in the level of a pull: columns with a coefficient each, and further states.

To the level of pull i they add `sum_c b_c x_ic + sum_s push_s h_si`; each state s has a half-life of its own.
"""

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.learn.setting import WIDTH, Room, Setting


@compiled
def bend_by(room: Room, p: int, q: int, amount: float) -> None:
    """Add to the second derivative in p and an earlier q, if one of them is kept."""
    if room.row[p] >= 0:
        room.hessian[room.row[p], room.column[q]] += amount
    elif room.row[q] >= 0:
        room.hessian[room.row[q], room.column[p]] += amount


@compiled
def shared_level(setting: Setting, at: Vector, room: Room, i: int) -> float:
    """What they add to the level of a pull."""
    pulls, level = setting.pulls, 0.0
    for c in range(pulls.columns.shape[1]):
        level += at[setting.shared + c] * pulls.columns[i, c]
    for s in range(setting.states.size):
        level += at[setting.states[s] + 1 + pulls.states.push[s, i]] * room.further[s, i, 0]
    return level


@compiled
def fill_slopes(setting: Setting, at: Vector, room: Room, i: int, residual: float) -> int:
    """List the derivatives of the level and add what bends by itself to the Hessian; how many they are."""
    pulls, count = setting.pulls, setting.pulls.columns.shape[1]
    for c in range(count):
        room.slope_place[c], room.slope[c] = setting.shared + c, pulls.columns[i, c]
    for s in range(setting.states.size):
        half_life = setting.states[s]
        push = half_life + 1 + pulls.states.push[s, i]
        h, slope, bend = room.further[s, i, 0], room.further[s, i, 1], room.further[s, i, 2]
        room.slope_place[count], room.slope[count] = half_life, at[push] * slope
        room.slope_place[count + 1], room.slope[count + 1] = push, h
        count += 2
        bend_by(room, push, half_life, residual * slope)
        bend_by(room, half_life, half_life, residual * at[push] * bend)
    return count


@compiled
def add_shared(
    setting: Setting,
    at: Vector,
    room: Room,
    i: int,
    place: int,
    own: tuple[float, float, float, float],
    sums: tuple[float, float, float],
) -> None:
    """Add what a pull says of shared parameters to the scores and the expected second derivatives.

    `own` are the derivatives in the parameters of its arm, `sums` those over the nodes of residual, weight and weight
    times the subject's level.
    """
    p, tau, noise = setting.pulls.arm[i] * WIDTH, at.size - 2, at.size - 1
    r, w, wv = sums
    count = fill_slopes(setting, at, room, i, r)
    for e in range(count):
        q, slope = room.slope_place[e], room.slope[e]
        for k in range(setting.nodes.size):
            room.score[k, q] += room.residual[k, place] * slope
        for j in range(WIDTH):
            bend_by(room, q, p + j, -w * slope * own[j])
        for f in range(e + 1):
            bend_by(room, q, room.slope_place[f], -w * slope * room.slope[f])
        bend_by(room, tau, q, -wv * slope)
        bend_by(room, noise, q, -2.0 * r * slope)
