"""Damaged machine code on disk is never run."""

import os
import subprocess
import sys
from pathlib import Path

# A function of its own, in a file of its own, is loaded over and over while its cache is damaged in between.
SMALL = """
import random
import sys
from pathlib import Path

from roguewk.kernel.compile import compiled_for_python
from roguewk.kernel.native import cache_folder


def horner(values, x):
    total = 0.0
    for value in values:
        total = total * x + value
    return total


def load(*values):
    fresh = compiled_for_python(horner)
    return fresh(values, 2.0), sum(fresh.stats.cache_hits.values())


def files(ending):
    return sorted(Path(cache_folder()).rglob(f"*horner*.{ending}"))
"""
FLIP = """
assert load(1.0, 2.0, 3.0) == (11.0, 0)
assert load(1.0, 2.0, 3.0) == (11.0, 1)
luck = random.Random(1)
for path in [*files("nbi"), *files("nbc")]:
    whole = path.read_bytes()
    for place in [luck.randrange(len(whole)) for _ in range(15)]:
        flipped = whole[:place] + bytes([whole[place] ^ 1 << luck.randrange(8)]) + whole[place + 1 :]
        path.write_bytes(luck.choice([flipped, flipped, flipped, whole[:place]]))
        assert load(1.0, 2.0, 3.0) == (11.0, 0), (path, place)
        assert load(1.0, 2.0, 3.0) == (11.0, 1), "what was damaged is mended"
        path.write_bytes(whole)
print("sound")
"""
SWAP = """
load(1.0, 2.0), load(1, 2)
first, second = files("nbc")
second.write_bytes(first.read_bytes())
assert (load(1.0, 2.0), load(1, 2), load(1, 2)) == ((4.0, 1), (4.0, 0), (4.0, 1))
print("sound")
"""


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    path = folder / "script.py"
    path.write_text(SMALL + code)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run([sys.executable, str(path)], env=environment, capture_output=True, text=True)


def test_a_flipped_bit_anywhere_is_noticed_and_mended(tmp_path: Path) -> None:
    done = run(tmp_path, FLIP)
    assert (done.returncode, done.stdout) == (0, "sound\n"), done.stderr


def test_code_that_another_process_saved_under_the_same_name_is_not_taken(tmp_path: Path) -> None:
    done = run(tmp_path, SWAP)
    assert (done.returncode, done.stdout) == (0, "sound\n"), done.stderr


def test_a_program_survives_a_flipped_bit_in_all_its_machine_code(tmp_path: Path) -> None:
    code = "import roguewk as rw; print(rw.solve_lp([0.5], [[0.5]], [0.2]).value)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "0.2\n"), done.stderr
        assert "compiling" in done.stderr
        for path in tmp_path.rglob("*.nb?"):
            whole = bytearray(path.read_bytes())
            whole[len(whole) // 2] ^= 4
            path.write_bytes(whole)
