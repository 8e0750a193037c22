# `make demo` grades the example class, `make test` runs everything that must pass. Each first brings the machine to
# what it needs, and does nothing twice. The demo takes Docker where there is or can be an engine, else bubblewrap;
# `make demo SANDBOX=bubblewrap` leaves Docker alone.

VENV := .venv
SANDBOX := auto
COVERAGE := 95# percent of lines and branches, below which the tests fail

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.PHONY: demo test hostile bench lint image engine bubblewrap browser openssl clean
.NOTPARALLEL:

demo: $(VENV)/installed
	scripts/ensure-sandbox $(VENV) $(SANDBOX)
	grader grade submissions -o build/example-class --sandbox $(SANDBOX)

test: $(VENV)/installed-dev lint image bubblewrap browser openssl
	python -m pytest --cov --cov-report=term --cov-fail-under=$(COVERAGE)

# Every hostile program in every sandbox; `make test` runs them all in one, and one of each family in the others.
hostile: $(VENV)/installed-dev image bubblewrap
	HOSTILE=all python -m pytest tests/test_hostile.py

# What grading costs, as ratios to what can take no less; tells most where nothing else runs.
bench: $(VENV)/installed-dev image bubblewrap
	python -m benchmarks

lint: $(VENV)/installed-dev
	ruff check
	ruff format --check
	mypy

image: $(VENV)/installed engine
	scripts/ensure-image $(VENV)

engine:
	scripts/ensure-docker

bubblewrap:
	command -v bwrap >/dev/null || scripts/apt-install bubblewrap

# Makes certificates in tests.
openssl:
	command -v openssl >/dev/null || scripts/apt-install openssl

# Looks at the HTML pages in tests.
browser:
	command -v chromium >/dev/null || scripts/apt-install chromium

$(VENV)/installed: pyproject.toml
	scripts/ensure-venv $(VENV)
	touch $@

$(VENV)/installed-dev: pyproject.toml
	scripts/ensure-venv $(VENV) dev
	touch $(VENV)/installed $@

clean:
	rm -rf $(VENV) build dist .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
