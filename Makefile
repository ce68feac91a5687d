# make demo    install, replay a game that was really played, print its last report and why one order failed, draw it
# make site    install, and serve the site with a board to play with and a demonstration club on http://127.0.0.1:8000/ (another port: make site PORT=9000)
# make test    install, check and test everything, the built wheel too
# make test-long  the long tests, before a release: more cases, longer games, sweeps that leave nothing out
# make mutants  change the judge, the mechanics and the host's phases in one place at a time, and list what no test notices
# make test-numba  machine code with the first and the last version of Numba that is supported, each in its own environment
# make boards  make every board anew from its folder, and the page of boards
# make pages   write the pages anew that are made from the code and the variants, and keep the variants' editions
# make messages  the catalogues of the site's texts, for translators (docs/translating.md)
# make screenshots  the pictures of the site
# make bench   measure against the yardstick (docs/bench.md); make docs  the documentation as a site, in site/
# make locks   the libraries of each extra with versions and hashes, anew; make bill  what ships, with its licences
# make release  check, build, try out and tag the version of src/gamesmaster/version.py (CONTRIBUTING.md)
# make rehearse  a fresh Debian from nothing to a site with TLS and mail, then the same in containers (as root; docs/deploying.md)
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
BIN := $(VENV)/bin
WHEEL_VENV := build/wheel-venv
# What the database has a say in is tested on PostgreSQL too: where several write at once each time, all before a release.
AT_ONCE := $(addprefix tests/host/test_,models.py orders.py phases.py concurrency.py mail_delivery.py \
    backup.py::test_a_whole_site_comes_back)
DATABASE := $(AT_ONCE) $(addprefix tests/host/test_,tables.py deadlines.py house.py backup.py::test_an_older_version_is_restored)
BOARD := tests/host/browser/test_board.py
# One worker more than there are processors: tests of the site wait for disks and browsers, those of the core for nothing.
# What takes longest comes first, so that no worker is busy alone in the end.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell expr $(PROCESSORS) + 1)
PYTEST := GAMESMASTER_TESTED=wheel $(WHEEL_VENV)/bin/python -m pytest
CORE := tests/judge tests/orders tests/reading tests/mechanics
REST := $(shell grep -lr --include '*.py' mark.bulk $(CORE)) \
    $(filter-out $(addsuffix /,$(CORE)),$(sort $(dir $(wildcard tests/*/test_*.py)))) $(wildcard tests/test_*.py)
PIP := pip --disable-pip-version-check --quiet

# Tests that were once made ready are not made ready again by every worker: what they are compiled to is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo site test test-long test-numba mutants programs check wheel collected tested tested-core tested-rest tested-postgres boards pages messages screenshots bench docs locks bill release rehearse clean
.DELETE_ON_ERROR:

$(BIN)/gamesmaster: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP) install --upgrade 'pip>=25.1'
	$(BIN)/$(PIP) install --editable .
	touch $@

$(VENV)/.site: $(BIN)/gamesmaster
	$(BIN)/$(PIP) install --editable '.[host,pictures]'
	touch $@

$(VENV)/.developer: $(BIN)/gamesmaster
	$(BIN)/$(PIP) install --no-compile --editable '.[atlas,cluster,fast,host,lab,openspiel,pictures,testing,zoo]' --group dev
	touch $@

DEMO := build/demo/droidippy-8278.json
demo: $(BIN)/gamesmaster
	@rm -rf build/demo
	@mkdir -p build
	$(BIN)/gamesmaster import examples/recorded_game.jsonl -o build/demo
	@echo
	$(BIN)/gamesmaster report $(DEMO)
	@echo
	$(BIN)/gamesmaster explain $(DEMO) --failed --limit 1
	@echo
	$(BIN)/gamesmaster map $(DEMO) -o build/demo.svg

site: $(VENV)/.site
	$(BIN)/gamesmaster serve --demo --port $(PORT)

# Debian's packages come while pip fetches the libraries; the tests begin while mypy still reads: it has one processor
# busy for a minute.
test:
	$(MAKE) -j 2 programs $(VENV)/.developer
	$(MAKE) -j 2 check docs tested

test-long: programs wheel
	GAMESMASTER_TEST_DATABASE_URL= $(PYTEST) -n $(WORKERS) --durations 25 -m long tests
	[ -z "$$GAMESMASTER_TEST_DATABASE_URL" ] || $(PYTEST) -n $(PROCESSORS) -m "not looks" \
	    $(DATABASE) $(BOARD) tests/chaos

# A sample of each room, hours on two processors; another one with SEED=2.
SEED ?= 1
mutants: $(VENV)/.developer
	$(BIN)/python -m bench.mutants --workers $(PROCESSORS) --seed $(SEED)

# pyproject.toml names the same bounds.
test-numba: $(BIN)/gamesmaster
	for numba in 0.60.0 0.68.1; do \
	    $(PYTHON) -m venv build/numba-$$numba && \
	    build/numba-$$numba/bin/$(PIP) install --editable '.[fast,testing]' "numba==$$numba" pytest && \
	    build/numba-$$numba/bin/python -m pytest -q tests/judge/test_machine.py \
	        tests/batches/test_copies.py::test_answers_may_be_given_to_a_copy || exit 1; done

# What the tests run besides Python, where it may be installed; without it, the tests that need it are skipped.
programs:
	$(PYTHON) tests/programs.py

check: $(VENV)/.developer
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# What is shipped is what is tested: the wheel, in an environment of its own, without the sources.  The libraries are
# those of the developer's environment, which had them by the same extras.
wheel: $(VENV)/.developer
	rm -rf dist $(WHEEL_VENV)
	$(BIN)/python -m build --wheel --no-isolation --outdir dist . >/dev/null
	$(PYTHON) -m venv --without-pip $(WHEEL_VENV)
	$(BIN)/$(PIP) --python $(WHEEL_VENV)/bin/python install --no-deps dist/*.whl
	cd $(WHEEL_VENV)/lib/python3*/site-packages && ls -d $(CURDIR)/$(VENV)/lib/python3*/site-packages > libraries.pth

# Every branch of the judge and of the orders is run; tests that take long and run no others come apart, since counting
# branches would slow them down.  What a page looks like does not hang on the database.  Two runs at once leave no
# processor idle.
tested: tested-core tested-rest tested-postgres

# Compile the tests once: several workers that start together would each do it.
collected: wheel
	$(PYTEST) --collect-only -qq -m "not long" tests > build/collected.log || { cat build/collected.log; exit 1; }

tested-core: collected
	GAMESMASTER_TEST_DATABASE_URL= $(PYTEST) -n $(PROCESSORS) -q -m "not bulk and not long" $(CORE) \
	    --cov gamesmaster.engine --cov gamesmaster.rules --cov gamesmaster.judge --cov gamesmaster.orders --cov gamesmaster.reading --cov-branch --cov-report term-missing:skip-covered
	$(WHEEL_VENV)/bin/python -m coverage report --include '*/engine/*,*/rules/*,*/judge/*,*/orders/*' --omit '*/engine/heuristic/*' \
	    --fail-under 100 --format total
	$(WHEEL_VENV)/bin/python -m coverage report --include '*/reading/*' --fail-under 98 --format total

tested-rest: collected
	GAMESMASTER_TEST_DATABASE_URL= $(PYTEST) -n $(WORKERS) --durations 25 -m "(not core or bulk) and not long" $(REST)

tested-postgres: tested-core
	[ -z "$$GAMESMASTER_TEST_DATABASE_URL" ] || $(PYTEST) -n $(PROCESSORS) -q -m "not looks and not long" \
	    $(AT_ONCE) $(BOARD)::test_a_newcomer_plays_cline_nine_man

boards: $(VENV)/.developer
	for board in $$(ls -d boards/*/ | grep -v geo); do \
	    $(BIN)/gamesmaster board build $$board -o src/gamesmaster/variants/$$(basename $$board) || exit 1; done
	$(BIN)/python docs/boards.py --maps
	$(BIN)/python docs/boards.py > docs/boards.md

pages: $(VENV)/.developer
	$(BIN)/python docs/variant_pages.py
	$(BIN)/python docs/editions.py
	$(BIN)/python docs/front_page.py
	$(BIN)/python docs/api_examples.py
	$(BIN)/python docs/dialects.py > docs/dialects.md
	$(BIN)/python docs/forms.py
	$(BIN)/python docs/notices.py > docs/notices.md

messages: $(VENV)/.developer
	$(BIN)/python docs/messages.py

# Needs Chromium; the pictures are the site's pages in a world of their own.
screenshots: $(VENV)/.developer
	$(BIN)/python docs/screenshots.py

bench: $(VENV)/.developer
	$(BIN)/$(PIP) install --group bench
	$(BIN)/python -m bench
	$(BIN)/python -m bench.maps
	$(BIN)/python -m bench.variants
	$(BIN)/python -m bench.games
	$(BIN)/python -m bench.dropin
	$(BIN)/python -m tests.compat.package -q || [ $$? -eq 1 ]  # what fails is named in docs/compat.md
	$(BIN)/python -m bench.host
	[ -z "$$GAMESMASTER_TEST_DATABASE_URL" ] || $(BIN)/python -m bench.host --url "$$GAMESMASTER_TEST_DATABASE_URL"

docs: $(VENV)/.developer
	$(BIN)/python docs/studies.py --pages
	$(BIN)/zensical build --clean --strict
	$(BIN)/python docs/check_site.py site

locks: $(VENV)/.developer
	$(BIN)/$(PIP) install --group bill
	deploy/make-locks $(BIN)/uv

# Of what a site runs on: the libraries of its lock file in an environment of their own, and this.
bill: $(VENV)/.developer
	$(BIN)/$(PIP) install --group bill
	rm -rf build/bill && $(PYTHON) -m venv build/bill/venv
	build/bill/venv/bin/$(PIP) install --require-hashes -r deploy/locks/build.txt
	build/bill/venv/bin/$(PIP) install --require-hashes --no-build-isolation -r deploy/locks/site.txt
	build/bill/venv/bin/$(PIP) install --no-deps --no-build-isolation .
	build/bill/venv/bin/$(PIP) uninstall -y hatchling wheel setuptools pathspec pluggy trove-classifiers
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	    -o build/bill/gamesmaster.cdx.json build/bill/venv/bin/python
	$(BIN)/pip-licenses --python build/bill/venv/bin/python --from mixed --format markdown --with-urls \
	    --output-file build/bill/licences.md

release: $(VENV)/.developer
	$(BIN)/$(PIP) install --group release
	$(BIN)/python tools/release.py

rehearse:
	deploy/rehearse
	deploy/rehearse-containers

clean:
	rm -rf build dist site .venv .coverage
