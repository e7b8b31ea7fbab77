# Everything starts here. `make run` serves on one laptop with nothing but Python; `make test` starts what it needs itself.
.DEFAULT_GOAL := run
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
PO := $(wildcard referee/locale/*/LC_MESSAGES/*.po)
MO := $(PO:.po=.mo)
PARALLEL ?= 2
# whatever the machine says of them: compiled files are what collecting the cases and starting a program spend their time on
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $(PARALLEL) --dist worksteal -q

.PHONY: run test test-long check bench soak format messages lock wheel glossary refusals conformance

run: .venv/base.stamp $(MO)
	@exec $(BIN)/python manage.py serve

# five to seven minutes on two cores; with `make test-long` (thirty to fifty) every case but the random runs of `make soak`
test: .venv/dev.stamp $(MO)
	@$(BIN)/python -m tools.browser > /dev/null
	$(PYTEST) --durations=10 -m "not long and not soak"

# whole events, browsers, killed processes; then on SQLite what a laptop's own database might do otherwise
test-long: .venv/dev.stamp $(MO)
	@$(BIN)/python -m tools.browser > /dev/null
	$(PYTEST) --durations=25 -m "long and not soak"
	REFEREE_TEST_DB=sqlite $(PYTEST) -m "both_databases and not soak"

check: .venv/dev.stamp $(MO)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/djangofmt --check --quiet templates tests
	$(BIN)/djangofmt check --quiet templates tests
	$(BIN)/python -m tools.templates
	$(BIN)/python -m tools.glossary check
	$(BIN)/python -m tools.conformance check
	$(BIN)/python -m tools.refusals check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --config pyproject.toml
	$(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0
	$(BIN)/python -m tools.messages check
	$(BIN)/python -m tools.locks check

# measures speed against limits taken in the same run
bench: .venv/dev.stamp $(MO)
	@$(BIN)/python -W ignore -m tests.bench

# the long random runs; `make test` and `make test-long` keep a short slice of each
soak: .venv/dev.stamp $(MO)
	REFEREE_SOAK=1 $(BIN)/python -m pytest tests -q -m soak --timeout 0

format: .venv/dev.stamp
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/djangofmt check --fix --quiet templates tests
	$(BIN)/djangofmt --quiet templates tests

# dist/referee-*.whl, for machines without a checkout
wheel: .venv/dev.stamp $(MO)
	@$(BIN)/python -m hatchling build --target wheel

# docs/glossary.md from tools/glossary.json
glossary: .venv/base.stamp
	@$(BIN)/python -m tools.glossary update

# docs/refusals.md from the tables of refusals
conformance: .venv/base.stamp
	@$(BIN)/python -m tools.conformance update

refusals: .venv/base.stamp
	@$(BIN)/python -m tools.refusals update

messages: .venv/dev.stamp
	$(BIN)/python -m tools.messages update

lock: .venv/dev.stamp
	$(BIN)/python -m tools.locks update

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Referee needs Python 3.11 or newer: install it, or name it with PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo "This Python cannot make environments (on Debian: apt-get install python3-venv)"; exit 1; }

.venv/base.stamp: requirements/base.txt | $(BIN)/python
	@echo "Installing what the service needs (half a minute, once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.venv/dev.stamp: requirements/dev.txt requirements/base.txt | $(BIN)/python
	@echo "Installing what the checks and tests need (a minute, once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@ .venv/base.stamp

%.mo: %.po | .venv/base.stamp
	@$(BIN)/python -m tools.messages compile
