# Every chore of the project. `make` alone lists them.
# Needed beforehand: GNU make, Python 3.11 or later, Rust. Everything else goes into .venv and target.

.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
CANDIDATES := py python python3
else
BIN := .venv/bin
CANDIDATES := python3.13 python3.12 python3.11 python3.14 python3 python
endif

PYTHON := $(BIN)/python
PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
IDEALRANK := $(BIN)/idealrank

# What builds and runs the wheel, with what that needs: all that `make demo` installs.
NEEDED := maturin numpy scipy click colorama rich markdown-it-py mdurl pygments

# Files and folders below a folder: a file that comes, goes or changes makes the wheel new.
walk = $(foreach entry,$(wildcard $(1)/*),$(entry) $(call walk,$(entry)))
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(wildcard README.md LICENSE) \
	$(filter-out %/__pycache__ %.pyc %.so %.pyd,$(call walk,rust/src) $(call walk,src))

# The Rust tests link Python's library, which Debian keeps apart from Python.
LIBRARY_HINT := import os, sys, sysconfig; \
	folder, name = sysconfig.get_config_vars("LIBDIR", "LDLIBRARY"); \
	sys.platform != "linux" or os.path.exists(os.path.join(folder, name)) or \
	print(f"No {name} in {folder}: the Rust tests need it. On Debian and Ubuntu: apt-get install python3-dev", file=sys.stderr)

# What the tests open the report's page in, as tests/browser/chromium.py finds it; CHROMIUM=/path names another.
CHROMIUMS := chromium chromium-browser google-chrome

# DejaVu has the arrows and signs of the page; Chromium is content with any font.
CHROMIUM_PACKAGES := chromium fonts-dejavu-core

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | awk -F'|' '{printf "%-12s %s\n", $$1, $$2}'

.PHONY: demo
demo: .venv/wheel.stamp ## ask the built-in engine the example shop's queries in two ways, compare them, and write a report
	@$(IDEALRANK) replay examples/shop/queries.csv 'sqlite:examples/shop/products.csv?template=examples/shop/all.sql' \
		'sqlite:examples/shop/products.csv?template=examples/shop/any.sql' --fields title,category -q -o target/demo
	@$(IDEALRANK) evaluate examples/shop/judgments.csv target/demo/all.csv target/demo/any.csv -m nDCG@10 -m RR -q
	@$(IDEALRANK) compare examples/shop/judgments.csv target/demo/all.csv target/demo/any.csv -m nDCG@10
	@$(IDEALRANK) report examples/shop/judgments.csv target/demo/all.csv target/demo/any.csv -q \
		--queries examples/shop/queries.csv -o target/report.html
	@echo "The report on this comparison is target/report.html: open it in a browser."

.PHONY: test
test: .venv/deps.stamp .venv/wheel.stamp browser engines ## run the Rust and Python tests against the built wheel
	@echo "cargo test"
	@folder=$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR") or "")'); \
		LD_LIBRARY_PATH="$$folder:$${LD_LIBRARY_PATH:-}" DYLD_LIBRARY_PATH="$$folder:$${DYLD_LIBRARY_PATH:-}" \
		PYO3_PYTHON="$(abspath $(PYTHON))" cargo test --quiet --locked || { $(PYTHON) -c '$(LIBRARY_HINT)'; exit 1; }
	@echo "pytest"
	@$(PYTHON) -m pytest --numprocesses logical --dist worksteal $(ALL) $(PYTEST_ARGS)

.PHONY: test-all
test-all: ALL := --all-answers
test-all: test ## the same, with every measure under every answer it reads, not under a choice of them

.PHONY: browser
browser: # installs Chromium where it can, and says loudly where it cannot: then tests/browser is skipped
	@if [ -n "$${CHROMIUM:-}" ] || command -v $(CHROMIUMS) >/dev/null; then exit 0; fi; \
	become=; [ "$$(id -u)" = 0 ] || become="sudo -n"; \
	if command -v apt-get >/dev/null && $$become true 2>/dev/null; then \
		echo "installing $(CHROMIUM_PACKAGES)"; mkdir -p target; \
		if { $$become apt-get update -qq && \
			$$become env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(CHROMIUM_PACKAGES); \
			} </dev/null >target/chromium.log 2>&1; then exit 0; fi; \
		tail -n 1 target/chromium.log >&2; \
	fi; \
	echo "NOT TESTED: the report's page. There is no Chromium ($(CHROMIUMS)), and it cannot be installed from here." >&2; \
	echo "Install it (Debian: apt-get install chromium), or name it: make test CHROMIUM=/path/to/chromium" >&2

.PHONY: engines
engines: .venv/deps.stamp # downloads and builds the engines once, and says loudly which it cannot: then their tests are skipped
	@echo "engines"
	@$(PYTHON) -m tests.engines.servers

.PHONY: lint
lint: .venv/deps.stamp ## ruff, mypy, import-linter, cargo fmt and clippy; changes nothing
	@echo "ruff"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@echo "mypy"
	@$(BIN)/mypy --no-error-summary
	@if grep -q '^\[tool\.importlinter' pyproject.toml; then echo "lint-imports"; \
		PYTHONPATH=src $(BIN)/lint-imports --no-cache >target/imports.txt || { cat target/imports.txt; exit 1; }; fi
	@echo "cargo fmt"
	@cargo fmt --check
	@echo "cargo clippy"
	@PYO3_PYTHON="$(abspath $(PYTHON))" cargo clippy --quiet --locked --all-targets -- -D warnings

.PHONY: bench
bench: .venv/deps.stamp .venv/wheel.stamp ## time this program and its peers on generated data
	@$(PYTHON) -m bench $(BENCH_ARGS)

.PHONY: oracles
oracles: .venv/created.stamp ## run the heavy tools and write their numbers anew; ORACLES="rax beir" for some
	@$(PYTHON) -m tests.golden.oracles $(ORACLES)

.PHONY: calibrate
calibrate: .venv/deps.stamp .venv/wheel.stamp ## simulate how often tests and intervals are right, and write docs/statistics.md
	@$(PYTHON) -m tests.calibration $(TABLES)

.PHONY: docs
docs: .venv/wheel.stamp ## write the pages anew that follow from the definitions, and what stands under the examples
	@$(PYTHON) docs/generate.py
	@$(PYTHON) -m tests.docs.blocks
	@$(PYTHON) -m tests.docs.notebooks

.PHONY: lock
lock: .venv/deps.stamp ## write requirements-dev.lock anew from requirements-dev.in (needs uv)
	@uv pip compile requirements-dev.in --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet --upgrade --output-file requirements-dev.lock

.PHONY: clean
clean: ## remove .venv, target and the caches
	@rm -rf .venv target .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find src tests bench examples docs -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/created.stamp:
	@found=; for name in $(CANDIDATES); do \
		if "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$name; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "No Python 3.11 or later with venv found (looked for: $(CANDIDATES)). Install one, on Debian and Ubuntu: apt-get install python3 python3-venv" >&2; exit 1; \
	fi; \
	echo "creating .venv with $$("$$found" --version)"; \
	"$$found" -m venv --clear .venv
	@touch $@

.venv/deps.stamp: requirements-dev.lock .venv/created.stamp
	@echo "installing the locked tools"
	@$(PIP) install --require-hashes --requirement requirements-dev.lock
	@mkdir -p target
	@touch $@

.venv/needed.stamp: requirements-dev.lock .venv/created.stamp
	@awk -F== '/^[a-z]/ {needed = index(" $(NEEDED) ", " " $$1 " ")} needed' requirements-dev.lock >.venv/needed.txt
	@$(PIP) install --require-hashes --requirement .venv/needed.txt
	@mkdir -p target
	@touch $@

.venv/wheel.stamp: .venv/needed.stamp $(SOURCES)
	@command -v cargo >/dev/null || { echo "No cargo found. Install Rust 1.88 or later: https://rustup.rs" >&2; exit 1; }
	@echo "building the wheel"
	@rm -f target/wheels/*.whl
	@"$(abspath $(BIN))/maturin" build --release --locked --quiet --interpreter "$(abspath $(PYTHON))" --out target/wheels \
		>target/wheel.log 2>&1 || { cat target/wheel.log >&2; exit 1; }
	@echo "installing the wheel"
	@$(PIP) install --force-reinstall --no-deps --no-index target/wheels/*.whl
	@touch $@
