"""Print the benchmarks, each side by side in one run: `make bench`."""

from benchmarks import against_scipy, bound, online, paper_command, scaling

if __name__ == "__main__":
    for each in (against_scipy, scaling, bound, online, paper_command):
        each.report()
