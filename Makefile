# Needs only Python >= 3.11 with pip, and make. Everything goes into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test bench clean

run: .venv/ready-to-run
	$(BIN)/roguewk paper

test: .venv/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: .venv/ready-to-test
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build dist

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "roguewk needs Python 3.11 or newer: run 'make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)'"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/ready-to-run: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/ready-to-test: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ .venv/ready-to-run
