# Everything sets itself up: python3, make and git are enough. `make demo` and `make test` first.
#
#   make demo      render and lint the shipped examples, show their numbers
#   make test      the whole test suite
#   make lint      ruff and mypy
#   make corpus    how much of the reference texts is understood (needs the reference data beside this checkout)
#   make pages     the pages of rules and systems, and the matrix of the README (after one of them changed)
#   make bench     speed against other tools, side by side
#   make fleet     lint and drift of 5,000 stored captures: time and memory
#   make fuzz      every parser on broken input, FUZZ_SECONDS long (default 300)
#   make wheel     sdist, then the wheel from it, into dist/
#   make clean     everything that these made

PYTHON ?= python3
EXAMPLES ?= minimal lab-25g pod-400g mixed-pod
FUZZ_SECONDS ?= 300
VENV := .venv
BIN := $(VENV)/bin
OUT := out
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test lint corpus pages bench fleet fuzz wheel clean
.DELETE_ON_ERROR:

# -- environments: each stamp is one set of dependencies -----------------------------------------------------------

$(VENV)/.base:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rocecfg needs Python 3.11 or newer, this is " + sys.version)'
	@$(PYTHON) -m venv $(VENV) || { echo 'python3 cannot make a virtual environment: install its venv module (Debian: apt-get install python3-venv)' >&2; exit 1; }
	@touch $@

$(VENV)/.runtime: pyproject.toml $(VENV)/.base
	@echo 'installing rocecfg into $(VENV) ...'
	@$(BIN)/python -m pip install -qq --editable .
	@touch $@

$(VENV)/.test: pyproject.toml .ci/install-oracles $(VENV)/.runtime
	@echo 'installing the test tools into $(VENV) ...'
	@$(BIN)/python -m pip install -qq --editable '.[test]'
	@sh .ci/install-oracles $(BIN)/python
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.test
	@echo 'installing the developer tools into $(VENV) ...'
	@$(BIN)/python -m pip install -qq --editable '.[dev]'
	@touch $@

# -- what people call ----------------------------------------------------------------------------------------------

demo: $(VENV)/.runtime
	@for example in $(EXAMPLES); do \
	  intent=examples/$$example/$$example.roce.yaml; \
	  echo; echo "== $$intent"; \
	  $(BIN)/rocecfg render $$intent -o $(OUT)/$$example && \
	  $(BIN)/rocecfg lint $(OUT)/$$example --intent $$intent && \
	  $(BIN)/rocecfg plan $$intent --short || exit 1; \
	done
	@echo; echo 'Files, one folder a device; the first of each kind:'
	@for example in $(EXAMPLES); do \
	  files=`find $(OUT)/$$example -type f ! -name capture.json | sort`; \
	  echo "  $(OUT)/$$example: `echo "$$files" | wc -l` files"; \
	  echo "$$files" | awk -F/ '!seen[$$NF]++ { print "    " $$0 }'; \
	done
	@echo; echo 'Next: $(BIN)/rocecfg plan examples/minimal/minimal.roce.yaml --why leaf1:Ethernet1/1'

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy rocecfg vendors lint_rules benchmarks

corpus: $(VENV)/.test
	$(BIN)/python benchmarks/corpus.py

pages: $(VENV)/.runtime
	$(BIN)/rocecfg explain --all --output docs/rules
	$(BIN)/python benchmarks/vendor_pages.py
	$(BIN)/python benchmarks/readme_matrix.py

fleet: $(VENV)/.test
	$(BIN)/python benchmarks/fleet.py

bench: $(VENV)/.test
	$(BIN)/python benchmarks/bench.py

fuzz: $(VENV)/.test
	$(BIN)/python benchmarks/fuzz.py --seconds $(FUZZ_SECONDS) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

wheel: $(VENV)/.dev
	@rm -rf dist
	$(BIN)/python -m build --outdir dist .
	@ls -l dist

clean:
	rm -rf $(VENV) $(OUT) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
