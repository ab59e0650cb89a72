# `make play` and `make test` do all set-up themselves; both are quick the second time.
.DEFAULT_GOAL := help
.PHONY: help setup client play host programs test check-python check-web test-python check-game golden e2e screenshots soak bench bench-server bench-tables bench-bots bench-plunder bench-client bench-cpu protocol format clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
MODULES := web/node_modules/.installed
CLIENT := src/quarterdeck/server/static/index.html
CLIENT_SOURCES := $(shell find web/src web/index.html web/*.ts web/*.js src/quarterdeck -type f \
	\( -path 'web/*' -o -path '*/text/*' \) -not -path '*/static/*' 2>/dev/null)

# Many tests wait more than they compute: one process more than there are cores.
PROCESSES = $(shell $(BIN)/python -c 'import os; print(os.cpu_count() + 1)')
# What the tests need besides Python and Node, each as program=Debian package.
TEST_PROGRAMS := chromium=chromium

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(INSTALLED): pyproject.toml requirements.txt requirements-build.txt requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit("Quarterdeck needs Python 3.11 or newer") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(MODULES): web/package.json web/package-lock.json
	cd web && npm ci --loglevel=error
	touch $@

$(CLIENT): $(MODULES) $(CLIENT_SOURCES)
	cd web && npm run --silent build

client: $(CLIENT) ## the browser client alone

setup: $(INSTALLED) $(CLIENT) ## set-up alone; leaves the command at .venv/bin/quarterdeck

play: setup ## serve the games on this machine and open the browser
	@$(BIN)/quarterdeck serve --open --log-level warning

host: setup ## serve the local network: prints the address and a QR code
	@$(BIN)/quarterdeck serve --host 0.0.0.0 --log-level warning

programs: ## the programs that the tests need: installed on Debian, named elsewhere
	@lacking=; for each in $(TEST_PROGRAMS); do \
		command -v $${each%%=*} > /dev/null || lacking="$$lacking $${each#*=}"; \
	done; \
	if [ -z "$$lacking" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	if ! grep -qs '^ID=debian$$' /etc/os-release || ! $$root true 2> /dev/null; then \
		echo "The tests need a program that is not here: install$$lacking first (on Debian: apt-get install$$lacking)." >&2; exit 1; \
	fi; \
	echo "Installing what the tests need and is not here:$$lacking"; \
	$$root apt-get -qq update && $$root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes$$lacking > /dev/null

# The programs are looked for before anything else is done; what fails soonest comes first.
test: programs ## every check: style, types, tests, whole games in a real browser
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-python check-web
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory e2e

check-python: $(INSTALLED) ## style and types of the Python half
	$(BIN)/ruff check src tests bench examples
	$(BIN)/ruff format --check src tests bench examples
	$(BIN)/mypy

check-web: $(MODULES) ## types and unit tests of the client
	cd web && npm run --silent check && npm test --silent

test-python: setup ## the tests of the Python half
	$(BIN)/quarterdeck warm
	$(BIN)/pytest --numprocesses $(PROCESSES) --dist worksteal -q

check-game: programs $(INSTALLED) $(MODULES) ## everything that concerns one game: make check-game ID=skull-king
	@$(BIN)/python tests/one_game.py $(ID)

golden: $(INSTALLED) ## the golden records that a game lacks: make golden ID=skull-king
	@$(BIN)/python tests/golden/write.py $(ID)

e2e: programs setup ## whole games in Chromium through the real server
	cd web && npm run --silent e2e

screenshots: programs setup ## pictures of the main pages, for the README
	cd web && npm run --silent screenshots

soak: setup ## the big counts (an hour or so); results in bench/SOAK.md
	$(BIN)/python bench/soak.py

bench: setup ## speed, against peers in the same run; results in bench/RESULTS.md
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement bench/requirements.txt
	$(BIN)/python bench/speed.py
	$(BIN)/python bench/physics.py
	$(BIN)/python bench/balance.py

bench-server: setup ## the server under load, against a boardgame.io server in the same run
	cd bench/boardgame_io && npm ci --loglevel=error
	$(BIN)/python bench/server.py

bench-tables: setup ## thousands of stored tables, and everybody back after a kill; results in bench/RESULTS.md
	$(BIN)/python bench/many_tables.py

bench-bots: setup ## people at a hundred tables of bots that search; results in bench/RESULTS.md
	$(BIN)/python bench/bot_tables.py

bench-plunder: setup ## a hundred chests plundered at once; results in bench/RESULTS.md
	$(BIN)/python bench/plunder.py

bench-client: programs setup ## how long the harbour takes to load, and how quickly a ship is drawn
	cd web && node e2e/first_load.mjs
	$(BIN)/python bench/frames.py

bench-cpu: setup ## what rules compiled for any processor cost; results in bench/RESULTS.md
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement bench/requirements.txt
	$(BIN)/python bench/processor.py

protocol: setup ## the page and the TypeScript types of the protocol, the games' draws and the tables of settings, from their modules
	$(BIN)/python -m quarterdeck.server.schema .
	$(BIN)/python -m quarterdeck.engine.draws .
	$(BIN)/python -m quarterdeck.server.settings .

format: setup ## put the Python sources into house style
	$(BIN)/ruff check --fix src tests bench examples
	$(BIN)/ruff format src tests bench examples

clean: ## remove what set-up and tests made
	rm -rf $(VENV) web/node_modules src/quarterdeck/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
