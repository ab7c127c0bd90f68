"""Print the benchmarks, each side by side in one run: `make bench`."""

from benchmarks import against_scipy, online, paper_command, scaling

if __name__ == "__main__":
    for each in (against_scipy, scaling, online, paper_command):
        each.report()
