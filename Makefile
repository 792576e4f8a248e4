# Everything starts from python3, git and make: the first target that needs an environment makes it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help

help:  ## print this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tapehead needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "First run: making a Python environment in $(VENV). Nothing outside this folder changes."
	@$(PYTHON) -m venv $(VENV)

# The program alone, as a user has it.
$(VENV)/.program: pyproject.toml | $(BIN)/python
	@echo "Installing tapehead and its libraries into $(VENV) (attrs, cattrs, click, rich, tomlkit, transitions): about half a minute ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# And what the people who work on it need.
$(VENV)/.tools: pyproject.toml tools/dev_requirements.py | $(VENV)/.program
	@echo "Installing what tests and checks need (pytest, hypothesis, ruff, mypy and others): about a minute ..."
	@$(BIN)/python tools/dev_requirements.py | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

demo: $(VENV)/.program  ## see one session without and with tapehead, in ten seconds
	@$(BIN)/tapehead demo

# Tests start the program thousands of times. Without bytecode each start would compile it again, and each run the tests.
test torture: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/.tools  ## run the tests
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n auto -m "not slow and not realclient and not browser"

torture: $(VENV)/.tools  ## run the long tests: a thousand kills, a thousand processes, many examples (about 15 minutes)
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n auto -m "slow or (hypothesis and not realclient and not browser)" --hypothesis-profile=long

realclient: $(VENV)/.tools  ## run the tests with the real agents, offline (needs root, node, tmux, iproute2)
	@$(BIN)/python tests/realclient/rig/client.py .
	@$(BIN)/python tests/realclient/rig/hook_managers.py .
	$(BIN)/python -m pytest -m realclient -n 2 tests/realclient

realclient-matrix: $(VENV)/.tools  ## see which events each client and version tells, offline; writes the table in docs/agents.md
	$(BIN)/python tests/realclient/rig/matrix.py .

try-install:  ## build what a registry takes, and install it by pip, pipx, uv and uvx (needs a registry)
	$(PYTHON) tools/try_install.py

browser: $(VENV)/.tools  ## test the HTML pages in a real headless Chromium (skipped if there is none)
	$(BIN)/python -m pytest -m browser tests/report tests/cli/web

pictures: $(VENV)/.tools  ## take the screenshots in docs/images again (needs chromium)
	@$(BIN)/python tools/report_example.py docs/images
	@$(BIN)/python tools/board_example.py docs/images

coverage: $(VENV)/.tools  ## measure which lines and branches the tests reach
	rm -rf .coverage
	-$(BIN)/coverage run -m pytest -q -n auto
	$(BIN)/coverage combine --quiet || true
	$(BIN)/coverage report --fail-under=95
	$(BIN)/coverage report --include='*/statemachine/*,*/store/*,*/actions/*' --fail-under=100

lint: $(VENV)/.tools  ## run ruff, mypy --strict and the layer checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.tools  ## format the code with ruff
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

redraw: $(VENV)/.tools  ## regenerate docs and diagrams (tools/redraw.py lists them)
	@$(BIN)/python tools/redraw.py

bench:  ## measure hooks, monitor, search and snapshots; recorded in benchmarks/*.json
	@$(PYTHON) -m venv .cache/bench
	@.cache/bench/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall .
	@.cache/bench/bin/python benchmarks/latency.py
	@.cache/bench/bin/python benchmarks/commands.py
	@.cache/bench/bin/python benchmarks/monitor.py
	@.cache/bench/bin/python benchmarks/memory.py
	@.cache/bench/bin/python benchmarks/trees.py
.PHONY: bench

render-diagrams: $(VENV)/.program  ## render the diagrams with Mermaid (needs node and chromium)
	@$(BIN)/python tools/render_mermaid.py

clean:  ## remove everything that make created
	rm -rf $(VENV) .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .cache dist build

.PHONY: help demo test coverage torture realclient realclient-matrix try-install browser pictures lint format redraw render-diagrams clean
