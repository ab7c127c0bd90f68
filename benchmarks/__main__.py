"""Print the benchmarks, each side by side in one run: `make bench`."""

import argparse

from benchmarks import against_scipy, bound, fitting, limits, online, paper_command, policies, scaling, study
from benchmarks.libraries import compare

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How fast, beside what else there is.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--no-libraries", action="store_true", help="leave out other libraries, which need the network")
    which.add_argument("--libraries", action="store_true", help="only other libraries")
    parser.add_argument("--keep", metavar="FOLDER", help="keep their environments here and use them again")
    asked = parser.parse_args()
    if not asked.libraries:
        for each in (against_scipy, scaling, policies, bound, online, limits, fitting, paper_command, study):
            each.report()
    if not asked.no_libraries:
        compare.report(asked.keep)
