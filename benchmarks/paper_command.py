"""The whole `roguewk paper` command, started afresh, with its machine code on disk."""

import subprocess
import sys
import tempfile

from benchmarks.clock import line, seconds


def report() -> None:
    """Start to finish, report included."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "roguewk", "paper", "--out", folder, "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        print("The command `roguewk paper`, warm")
        spent = seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 2)
        line("start to finish", f"{spent:.1f} s", "wanted: 10 s")
