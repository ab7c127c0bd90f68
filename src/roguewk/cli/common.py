"""What several commands share."""

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roguewk.world.world import World

IDLE_HELP = "allow idle rounds, whatever the world says"
THREADS_HELP = "default: all processors; results do not depend on it"
WORLD_HELP = "a TOML file, or NAME[:option=value...] of the catalogue (see `roguewk worlds`)"


def chosen_world(options: argparse.Namespace) -> "World":
    """The world of a command, with idle rounds if they are asked for."""
    from roguewk.cli.settings import read_world

    world = read_world(options.world)
    return world if options.idle is None else world.with_problem(idle=options.idle)


def print_json(data: object) -> None:
    """Data that other programs can read."""
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))
