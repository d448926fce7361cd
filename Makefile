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

# The rewriting of asserts costs half of what pytest needs to collect: it is kept beside the tests, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := $(BIN)/python
PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
IDEALRANK := $(BIN)/idealrank

# What builds and runs the wheel, with what that needs: all that `make demo` installs.
NEEDED := maturin numpy scipy click colorama rich markdown-it-py mdurl pygments jinja2 markupsafe

# What the studio needs besides.
STUDIO := alembic anyio greenlet h11 idna mako python-multipart sqlalchemy starlette typing-extensions uvicorn

# The first line that a machine without Rust, or with too old a one, prints: what Cargo.toml says is needed.
RUST := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
RUST_HINT := Rust $(RUST) or later is needed: curl https://sh.rustup.rs -sSf | sh -s -- -y --profile minimal && . ~/.cargo/env

# Files and folders below a folder: a file that comes, goes or changes makes the wheel new.
walk = $(foreach entry,$(wildcard $(1)/*),$(entry) $(call walk,$(entry)))
SOURCES := Cargo.toml Cargo.lock pyproject.toml rust/build.rs $(wildcard README.md LICENSE examples/shop/*.csv examples/shop/*.sql) \
	$(filter-out %/__pycache__ %.pyc %.so %.pyd,$(call walk,rust/src) $(call walk,src))

# The Rust tests link Python's library, which Debian keeps apart from Python.
LIBRARY_HINT := import os, sys, sysconfig; \
	folder, name = sysconfig.get_config_vars("LIBDIR", "LDLIBRARY"); \
	sys.platform != "linux" or os.path.exists(os.path.join(folder, name)) or \
	print(f"No {name} in {folder}: the Rust tests need it. On Debian and Ubuntu: apt-get install python3-dev", file=sys.stderr)

# What the tests open the report's page in, as tests/heavy/browser/chromium.py finds it; CHROMIUM=/path names another.
CHROMIUMS := chromium chromium-browser google-chrome

# DejaVu has the arrows and signs of the page; Chromium is content with any font.
CHROMIUM_PACKAGES := chromium fonts-dejavu-core

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | awk -F'|' '{printf "%-12s %s\n", $$1, $$2}'

.PHONY: demo
demo: ## build what is missing, then try idealrank on the example shop: one screen, and a report
	@$(MAKE) --question .venv/wheel.stamp >/dev/null 2>&1 || $(MAKE) --no-print-directory rust .venv/quick.stamp
	@$(IDEALRANK) demo target/demo

.PHONY: studio
studio: .venv/studio.stamp ## open the example shop as a local page: flip decisions, grade results, see the verdict move
	@$(MAKE) --question .venv/wheel.stamp >/dev/null 2>&1 || $(MAKE) --no-print-directory rust .venv/quick.stamp
	@mkdir -p target
	@$(IDEALRANK) studio examples/shop --db target/shop.studio.db $(STUDIO_ARGS)

# The folders of one room: make test ROOM=data. Without a room, all.
room = $(if $(ROOM),$(or $(wildcard $(1)),$(error No folder $(1). Rooms: $(patsubst tests/%/,%,$(wildcard tests/[a-z]*/)). With make test-all also: $(patsubst tests/heavy/%/,%,$(wildcard tests/heavy/[a-z]*/)))))
PYTEST := $(PYTHON) -m pytest --numprocesses logical --dist worksteal

.PHONY: test
test: ready ## run the first ring of tests against the built wheel: all but servers, browsers, Java, large libraries and long sweeps
	@$(if $(ROOM),,$(MAKE) --no-print-directory rust-test)
	@echo "pytest"
	@$(PYTEST) $(call room,tests/$(ROOM)) $(PYTEST_ARGS)

.PHONY: test-all
test-all: ## run every test: those of make test, then the rest in full, with what they need installed
	@[ ! -e "tests/$(ROOM)" ] || $(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-rest

.PHONY: test-rest
test-rest: .venv/deps.stamp .venv/wheel.stamp browser engines # what make test leaves out
	@echo "pytest, the last ring"
	@$(PYTEST) --ring last $(call room,tests/$(ROOM) tests/heavy/$(ROOM)) $(PYTEST_ARGS)

.PHONY: ready
ready: # compiles the wheel while pip installs what the tests need
	@$(MAKE) --no-print-directory --jobs=2 target/wheel.stamp .venv/test.stamp
	@$(MAKE) --no-print-directory .venv/wheel.stamp

.PHONY: rust-test
rust-test: .venv/maturin.stamp # in the profile of the wheel, whose dependencies are compiled already
	@echo "cargo test"
	@folder=$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR") or "")'); \
		LD_LIBRARY_PATH="$$folder:$${LD_LIBRARY_PATH:-}" DYLD_LIBRARY_PATH="$$folder:$${DYLD_LIBRARY_PATH:-}" \
		PYO3_PYTHON="$(abspath $(PYTHON))" cargo test --quiet --locked --release --lib || { $(PYTHON) -c '$(LIBRARY_HINT)'; exit 1; }

.PHONY: durations
durations: .venv/deps.stamp .venv/wheel.stamp ## measure what the tests of each folder cost in processor time: tests/durations.tsv
	@$(PYTEST) --ring all --costs tests/durations.tsv

.PHONY: browser
browser: # installs Chromium where it can, and says loudly where it cannot: then tests/heavy/browser is skipped
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
	@$(PYTHON) -m tests.heavy.engines.servers

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
	@PYO3_PYTHON="$(abspath $(PYTHON))" cargo clippy --quiet --locked --no-default-features -- -D warnings # as the demo is built
	@$(PYTHON) tools/lines.py src/idealrank

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
	@$(PYTHON) -m tests.heavy.docs.notebooks

.PHONY: site
site: .venv/deps.stamp ## build the pages of docs into a static site, target/site, which needs no server
	@$(PYTHON) docs/make_site.py

.PHONY: lock
lock: ## lock what the requirements name; pins stay where they fit (needs uv)
	@$(call compiled,requirements-dev.in,requirements-dev.lock)
	@$(call compiled,requirements-test.in --constraint requirements-dev.lock,requirements-test.lock)
	@$(call compiled,tools/release/requirements.in,tools/release/requirements.lock)

.PHONY: upgrade
upgrade: UPGRADE := --upgrade
upgrade: lock ## lock the newest versions of everything (needs uv)

compiled = uv pip compile $(1) --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate --quiet $(UPGRADE) --output-file $(2)

.PHONY: release-check
release-check: .venv/created.stamp | rust ## build and try the wheel and the source distribution, as a release does
	@$(PYTHON) -m tools.release check

.PHONY: clean
clean: ## remove .venv, target and the caches
	@rm -rf .venv target dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find src tests tools bench examples docs -name __pycache__ -type d -prune -exec rm -rf {} +

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

.venv/deps.stamp: requirements-dev.lock .venv/test.stamp
	@echo "installing the locked tools"
	@$(LOCKED) requirements-dev.lock
	@touch $@

.venv/test.stamp: requirements-test.lock .venv/needed.stamp
	@echo "installing what the tests need"
	@$(LOCKED) requirements-test.lock
	@touch $@

.venv/needed.stamp: requirements-test.lock .venv/maturin.stamp
	@$(call locked,$(NEEDED))
	@touch $@

.venv/maturin.stamp: requirements-test.lock .venv/created.stamp
	@$(call locked,maturin)
	@mkdir -p target
	@touch $@

.venv/studio.stamp: requirements-test.lock .venv/needed.stamp
	@$(call locked,$(STUDIO))
	@touch $@

# A lock is complete, so nothing has to be resolved.
LOCKED := $(PIP) install --no-deps --require-hashes --requirement

# Installs packages as they are locked.
locked = awk -F== '/^[a-z]/ {needed = index(" $(1) ", " " $$1 " ")} needed' requirements-test.lock >$@.txt; $(LOCKED) $@.txt

.PHONY: rust
rust: # says how to get Rust where it is missing or too old
	@version=$$(cargo --version 2>/dev/null | awk '{print $$2}' || true); \
	oldest=$$(printf '%s\n' "$${version:-0}" $(RUST) | sort -V | head -n 1); \
	[ "$$oldest" = "$(RUST)" ] || { echo "$(RUST_HINT)" >&2; exit 1; }

# There is one wheel in .venv: installing one removes the stamp of the other. This is the one for all but the demo.
.venv/wheel.stamp: target/wheel.stamp .venv/needed.stamp
	@$(call installed,target/wheels)
	@rm -f .venv/quick.stamp
	@touch $@

target/wheel.stamp: .venv/maturin.stamp $(SOURCES) | rust
	@echo "building the wheel: about three minutes the first time, on two cores"
	@rm -f target/wheels/*.whl
	@$(call wheel,--release,target/wheels) --quiet >target/wheel.log 2>&1 || { cat target/wheel.log >&2; exit 1; }
	@touch $@

# The demo's: not optimised and without the feature `files`, so built in a fifth of the time.
.venv/quick.stamp: .venv/maturin.stamp $(SOURCES) | rust
	@echo "building idealrank: about a minute the first time, on two cores"
	@$(MAKE) --no-print-directory --jobs=2 quick-wheel .venv/needed.stamp
	@$(call installed,target/quick-wheels)
	@rm -f .venv/wheel.stamp
	@touch $@

.PHONY: quick-wheel
quick-wheel: # cargo shows what it compiles, while pip installs the rest
	@rm -f target/quick-wheels/*.whl
	@$(call wheel,--profile quick --no-default-features,target/quick-wheels)

wheel = "$(abspath $(BIN))/maturin" build $(1) --locked --interpreter "$(abspath $(PYTHON))" --out $(2)
installed = echo "installing the wheel"; $(PIP) install --force-reinstall --no-deps --no-index $(1)/*.whl
