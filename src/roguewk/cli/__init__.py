"""The command `roguewk`. Heavy libraries load inside the commands, so that help is quick."""

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import roguewk
from roguewk.cli.answers import add_answers
from roguewk.cli.design import add_design
from roguewk.cli.folders import add_folders
from roguewk.cli.study import add_study
from roguewk.cli.whatif import add_whatif
from roguewk.problem.errors import InputError
from roguewk.show.terminal import complain

WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a ± must not fail in an old terminal
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except KeyboardInterrupt as stop:
        if argv is None:  # this process does nothing more but end; a second Ctrl-C would only make it say where
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return _say(str(stop) or "stopped", INTERRUPTED)
    except InputError as error:
        return _say(str(error), WRONG)
    except MemoryError:
        return _say("there is not enough memory: ask for fewer replicates or a shorter horizon", WRONG)
    except OSError as error:
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}: nothing more was written", WRONG)
    return 0


def _say(sentence: str, code: int) -> int:
    complain(f"roguewk: {sentence}")
    return code


class _Parser(argparse.ArgumentParser):
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Say what is wrong in lines that fit the terminal."""
        if message:
            complain(message)
        sys.exit(status)


def _drop_output() -> None:
    """Point stdout to nowhere: Python flushes it once more when it ends, and would complain."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="roguewk", description=(roguewk.__doc__ or "").splitlines()[0])
    parser.add_argument("--version", action="version", version=f"roguewk {roguewk.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_folders(commands)
    add_study(commands)
    add_answers(commands)
    add_whatif(commands)
    add_design(commands)
    return parser
