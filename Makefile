# Everything runs in .venv, set up on first use and again when pyproject.toml or a proto changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

# The generated package is missing after a clean or a fresh clone into an old environment: then install again.
GENERATED := $(if $(wildcard libs/wellhead/py.typed),,generated-code-is-missing)
SOURCES := pyproject.toml protos/build_hook.py $(shell find protos/wellhead 2>/dev/null)

# Arguments for pytest, as in: make test ARGS="tests/rules -k wheel"
ARGS ?=
WORKERS ?= auto
# The contract to stay compatible with: what was released last, as an image that `make baseline` writes.
BASELINE := protos/baseline.binpb
AGAINST ?= $(BASELINE)

LINTERS := "ruff check --quiet" "ruff format --check --quiet" "mypy --no-error-summary" "lint-imports --no-logo" \
	"buf lint protos" "buf format protos --diff --exit-code" "buf breaking protos --against $(BASELINE)"

.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test lint format protos breaking baseline bench rules-coverage rules-mutation corpus soak wheel \
	check-wheel clean generated-code-is-missing

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

demo: $(STAMPS)/runtime ## set up and play a game against bots, on an embedded store
	@$(BIN)/wellhead demo

test: $(STAMPS)/test ## run the whole suite (ARGS="..." goes to pytest, WORKERS=0 runs it in one process)
	@$(BIN)/pytest --numprocesses=$(WORKERS) $(ARGS)

lint: $(STAMPS)/lint ## check style, types, imports between packages, and the protos
	@failed=0; for check in $(LINTERS); do \
	  echo "$$check"; $(BIN)/$$check || failed=1; \
	done; exit $$failed

format: $(STAMPS)/lint ## format Python and protos, and repair what the linters can
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@$(BIN)/buf format protos --write

protos: $(BIN)/python ## generate libs/wellhead/ from the protos again
	@echo "generating libs/wellhead"
	@$(PIP) install --no-deps --editable .

breaking: $(STAMPS)/lint ## check that the protos stay compatible with the released contract (AGAINST=... for another)
	@$(BIN)/buf breaking protos --against '$(AGAINST)'

baseline: breaking ## release the contract: from now on the protos stay compatible with what they are today
	@$(BIN)/buf build protos --exclude-source-info --output $(BASELINE)

bench: $(STAMPS)/bench ## measure the engine beside its baselines
	@$(BIN)/wellhead bench rules

rules-coverage: $(STAMPS)/test ## list the clauses and examples that no test names
	@$(BIN)/python -m tests.tools.rules_coverage

rules-mutation: $(STAMPS)/test ## break clauses one by one and see their tests fail
	@$(BIN)/python -m tests.tools.rules_mutation

corpus: $(STAMPS)/test ## record the games of tests/corpus again, after rules or content have changed
	@$(BIN)/python -m tests.tools.record_corpus

soak: $(STAMPS)/test ## the long runs: thousands of games under every check, and the bots' strength
	@$(BIN)/pytest --numprocesses=$(WORKERS) -m soak $(ARGS)

wheel: $(BIN)/python ## build the wheel into dist/
	@$(PIP) wheel --no-deps --wheel-dir dist .
	@ls dist/*.whl

check-wheel: $(BIN)/python ## build the wheel, install it into an environment of its own, and play from there
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT \
	&& echo "building the wheel" && $(PIP) wheel --no-deps --wheel-dir "$$scratch" . \
	&& echo "installing it" && $(BIN)/python -m venv "$$scratch/venv" \
	&& "$$scratch/venv/bin/python" -m pip -qq --disable-pip-version-check install "$$scratch"/*.whl \
	&& cd "$$scratch" && venv/bin/wellhead --help >/dev/null && venv/bin/wellhead sim

clean: ## remove what was generated, built or cached, but not the environment
	@rm -rf libs/wellhead build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find libs services tests protos -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) not found: Python 3.11 or newer is needed (PYTHON=... names another)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) -V 2>&1) (PYTHON=... names another)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "$(PYTHON) has no venv module (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# One stamp per set of dependencies, so that the demo need not wait for the linters.
$(STAMPS)/runtime: EXTRA :=
$(STAMPS)/test: EXTRA := [test]
$(STAMPS)/lint: EXTRA := [lint]
$(STAMPS)/bench: EXTRA := [bench]
$(STAMPS)/runtime $(STAMPS)/test $(STAMPS)/lint $(STAMPS)/bench: $(SOURCES) $(GENERATED) | $(BIN)/python
	@echo "installing wellhead$(EXTRA) into $(VENV)"
	@$(PIP) install --editable '.$(EXTRA)'
	@mkdir -p $(STAMPS) && touch $@
