# make demo    install, replay a game that was really played, print its last report and why one order failed, draw it
# make test    install, check and test everything, the built wheel too
# make boards  make every board anew from its folder, and the page of boards
# make pages   write the pages anew that are made from the code and the variants
# make bench   measure against the yardstick (docs/bench.md); make docs  the documentation as a site
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WHEEL_VENV := build/wheel-venv
# What the database has a say in is tested on PostgreSQL too.
ON_POSTGRES := $(addprefix tests/host/test_,$(addsuffix .py,models tables orders phases concurrency deadlines house mail_delivery))
PIP := pip --disable-pip-version-check --quiet

.PHONY: demo test check coverage wheel boards pages bench docs clean
.DELETE_ON_ERROR:

$(BIN)/gamesmaster: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP) install --upgrade 'pip>=25.1'
	$(BIN)/$(PIP) install --editable .
	touch $@

$(VENV)/.developer: $(BIN)/gamesmaster
	$(BIN)/$(PIP) install --editable '.[atlas,fast,host,pictures,testing]' --group dev
	touch $@

demo: $(BIN)/gamesmaster
	@mkdir -p build
	@rm -f build/demo.json
	$(BIN)/gamesmaster replay examples/recorded_game.jsonl --record build/demo.json
	@echo
	$(BIN)/gamesmaster report build/demo.json
	@echo
	$(BIN)/gamesmaster explain build/demo.json --failed --limit 1
	@echo
	$(BIN)/gamesmaster map build/demo.json -o build/demo.svg

test: check coverage wheel

check: $(VENV)/.developer
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every branch of the judge and of the orders is run; the bulk comparisons would only be slowed down here.
coverage: $(VENV)/.developer
	$(BIN)/pytest -q -n auto --cov gamesmaster.judge --cov gamesmaster.orders --cov-branch --cov-fail-under 100 \
	    --cov-report term-missing:skip-covered -m "not bulk" tests/judge tests/orders tests/mechanics

# What is shipped is what is tested: the wheel, in an environment of its own, without the sources.
wheel: $(VENV)/.developer
	rm -rf dist $(WHEEL_VENV)
	$(BIN)/python -m build --wheel --outdir dist . >/dev/null
	$(PYTHON) -m venv $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/$(PIP) install --upgrade 'pip>=25.1'
	$(WHEEL_VENV)/bin/$(PIP) install "$$(echo dist/*.whl)[atlas,fast,host,pictures,testing]" --group test
	GAMESMASTER_TEST_DATABASE_URL= GAMESMASTER_TESTED=wheel $(WHEEL_VENV)/bin/pytest -n auto
	[ -z "$$GAMESMASTER_TEST_DATABASE_URL" ] || GAMESMASTER_TESTED=wheel $(WHEEL_VENV)/bin/pytest -n auto $(ON_POSTGRES)

boards: $(VENV)/.developer
	for board in $$(ls -d boards/*/ | grep -v geo); do \
	    $(BIN)/gamesmaster board build $$board -o src/gamesmaster/variants/$$(basename $$board) || exit 1; done
	$(BIN)/python docs/boards.py --maps
	$(BIN)/python docs/boards.py > docs/boards.md

pages: $(VENV)/.developer
	$(BIN)/python docs/variant_pages.py
	$(BIN)/python docs/library.py > docs/library.md

bench: $(VENV)/.developer
	$(BIN)/$(PIP) install --group bench
	$(BIN)/python -m bench
	$(BIN)/python -m bench.maps
	$(BIN)/python -m bench.variants

docs: $(VENV)/.developer
	$(BIN)/$(PIP) install --group docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf build dist site .venv .coverage
