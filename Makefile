# `make demo` grades the example class, `make test` runs everything that must pass. Each first brings the machine to
# what it needs, and does nothing twice.

VENV := .venv
COVERAGE := 95# percent of lines and branches, below which the tests fail

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.PHONY: demo test lint image engine clean
.NOTPARALLEL:

demo: $(VENV)/installed image
	grader grade submissions -o build/example-class

test: $(VENV)/installed-dev lint image
	python -m pytest --cov --cov-report=term --cov-fail-under=$(COVERAGE)

lint: $(VENV)/installed-dev
	ruff check
	ruff format --check
	mypy

image: $(VENV)/installed engine
	scripts/ensure-image $(VENV)

engine:
	scripts/ensure-docker

$(VENV)/installed: pyproject.toml
	scripts/ensure-venv $(VENV)
	touch $@

$(VENV)/installed-dev: pyproject.toml
	scripts/ensure-venv $(VENV) dev
	touch $(VENV)/installed $@

clean:
	rm -rf $(VENV) build dist .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
