# `make play` and `make test` do all set-up themselves; both are quick the second time.
.DEFAULT_GOAL := help
.PHONY: help protocol setup play test soak bench format clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

help: ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml requirements.txt
	$(PYTHON) -c 'import sys; sys.exit("Quarterdeck needs Python 3.11 or newer") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

setup: $(STAMP) ## set-up alone; leaves the command at .venv/bin/quarterdeck

play: setup ## play Skull King in the terminal
	@$(BIN)/quarterdeck play skull-king

test: setup ## every check: style, types, tests
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/quarterdeck simulate skull-king --games 1 > /dev/null
	$(BIN)/pytest --numprocesses 2 --dist loadfile -q

soak: setup ## the big counts (an hour or so); results in bench/SOAK.md
	$(BIN)/python bench/soak.py

bench: setup ## speed, against peers in the same run; results in bench/RESULTS.md
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement bench/requirements.txt
	$(BIN)/python bench/speed.py

protocol: setup ## the page and the TypeScript types of the protocol, from its module
	$(BIN)/python -m quarterdeck.server.schema .

format: setup ## put the sources into house style
	$(BIN)/ruff check --fix src tests bench
	$(BIN)/ruff format src tests bench

clean: ## remove what set-up and tests made
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
