# Everything starts from python3, git and make: the first target that needs an environment makes it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tapehead needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# The program alone, as a user has it (compiled: see docs/architecture.md on start-up time).
$(VENV)/.program: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# And what the people who work on it need.
$(VENV)/.tools: pyproject.toml tools/dev_requirements.py | $(VENV)/.program
	$(BIN)/python tools/dev_requirements.py | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	@touch $@

demo: $(VENV)/.program  ## watch the machine at work in a temporary repository
	@$(BIN)/tapehead demo

test: $(VENV)/.tools  ## every test that needs no agent of the real world
	$(BIN)/python -m pytest -n auto -m "not slow and not realclient and not browser"

torture: $(VENV)/.tools  ## the long forms: a thousand kills, a thousand processes, larger samples (about 10 minutes)
	$(BIN)/python -m pytest -n auto -m slow

realclient: $(VENV)/.tools  ## the same machine beside the real agents, offline (needs root, node, tmux, iproute2)
	@$(BIN)/python tests/realclient/rig/client.py .
	@$(BIN)/python tests/realclient/rig/hook_managers.py .
	$(BIN)/python -m pytest -m realclient -n 2 tests/realclient

browser: $(VENV)/.tools  ## the report in a real headless Chromium (skipped where there is none)
	$(BIN)/python -m pytest -m browser tests/report tests/cli/web

pictures: $(VENV)/.tools  ## take the screenshots in docs/images again (needs chromium)
	@$(BIN)/python tools/report_example.py docs/images
	@$(BIN)/python tools/board_example.py docs/images

coverage: $(VENV)/.tools  ## which lines and branches the tests reach, processes included; the core must be complete
	rm -rf .coverage
	-$(BIN)/coverage run -m pytest -q -n auto
	$(BIN)/coverage combine --quiet || true
	$(BIN)/coverage report --fail-under=95
	$(BIN)/coverage report --include='*/statemachine/*,*/store/*,*/actions/*' --fail-under=100

lint: $(VENV)/.tools  ## ruff, mypy --strict, the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.tools  ## let ruff set the layout
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

redraw: $(VENV)/.tools  ## make everything again that is generated (tools/redraw.py lists it)
	@$(BIN)/python tools/redraw.py

bench:  ## how long a hook takes and what recording a work tree costs, as ratios; recorded in benchmarks/*.json
	@$(PYTHON) -m venv .cache/bench
	@.cache/bench/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall .
	@.cache/bench/bin/python benchmarks/latency.py
	@.cache/bench/bin/python benchmarks/monitor.py
	@.cache/bench/bin/python benchmarks/memory.py
	@.cache/bench/bin/python benchmarks/trees.py
.PHONY: bench

render-diagrams: $(VENV)/.program  ## let the real Mermaid draw what we wrote, to look at (needs node and chromium)
	@$(BIN)/python tools/render_mermaid.py

clean:  ## remove what make made
	rm -rf $(VENV) .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .cache dist build

.PHONY: help demo test coverage torture realclient browser pictures lint format redraw render-diagrams clean
