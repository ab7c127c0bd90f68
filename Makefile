# Needs only Python >= 3.11 with pip, and make. Everything goes into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test bench docs clean

# Strict and from scratch: a page that was in order before would not be looked at again.
DOCS = $(BIN)/sphinx-build -q -n -W -E --keep-going -b html -d build/doctrees docs build/docs

run: .venv/ready-to-run
	$(BIN)/roguewk paper

test: .venv/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(DOCS)
	$(BIN)/python -m pytest -n 2 --dist worksteal

docs: .venv/ready-to-test
	$(DOCS)
	@echo "the documentation is in build/docs; open build/docs/index.html"

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
