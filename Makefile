# Two commands on a fresh machine: `make demo`, `make test`. See README.md.
PYTHON ?= python3
VENV := .venv
PEER := .venv-peer
CROWD := .venv-crowd
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# What a person at work runs between two edits: every promise on small data, reading, the command line.
QUICK := tests/test_architecture.py tests/contract tests/model tests/io tests/cli/test_command_line.py \
	tests/measures/items/test_what_does_not_matter.py tests/measures/units/test_cutting.py \
	tests/measures/units/test_overlaps.py tests/measures/units/test_pairwise.py

# What uses each dependency: all measures once, tables, workbooks, SPSS, spaCy, XML, the command line, pictures.
BOUNDS := tests/contract/test_measures.py::test_a_score_is_complete tests/model tests/io/test_reading.py \
	tests/io/test_excel.py tests/io/test_spss.py tests/io/formats/test_docbin.py tests/io/formats/test_elan.py \
	tests/cli/test_command_line.py tests/figures/test_saving.py
BOUNDS_TESTED_WITH := pytest pytest-xdist hypothesis openpyxl pandas pyarrow

# They check numbers, of code whose lines and branches the other tests run anyway.
NOT_COVERING := --ignore=tests/golden --ignore=tests/peers

.PHONY: demo page docs test test-slow quick check fuzz stub bench bench-large bench-check papers pictures outputs notebooks faults cluster audit lowest highest package reference clean

demo: $(VENV)/.installed
	$(BIN)/accord score examples/garden/spans.csv --by document
	$(BIN)/accord score examples/garden/sentences.csv
	@echo "the same as a report, to be opened in a browser:"
	@$(BIN)/accord report examples/garden/spans.csv --force -o $(CURDIR)/report.html

# The page, from this checkout; `make page SERVE='--port 9000 --no-browser'`.
page: $(VENV)/.page
	$(BIN)/accord serve $(SERVE)

# A worker more than there are cores, for some tests wait. One that dies ends the run: with another in its place,
# pytest-xdist may wait for ever.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# With bytecode, because rewriting the assertions of all tests takes longer than the rest of the collection.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --max-worker-restart=0

# The fast tests, within five minutes on two cores: every measure, reader and command, golden cases, one walk in a browser.
test: $(VENV)/.tests
	$(PYTEST) --dist worksteal -m "not slow"

# The others: simulations, studies, LaTeX, the site, faults, clusters, walks in a browser. Run before an issue is closed.
test-slow: $(VENV)/.tests
	@$(BIN)/python -m tests.needs
	$(PYTEST) --dist loadfile -m slow
	@echo "Still more thorough, and not run here: make papers, make faults, make cluster, make fuzz, make notebooks."

quick: $(VENV)/.tests
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" $(QUICK) --ignore=tests/contract/test_doors.py

check: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) --dist loadfile --cov $(NOT_COVERING)

# Damaged, odd and hostile inputs for so many minutes; `make fuzz SEED=7` goes on where the run with that seed stopped.
MINUTES ?= 10
JOBS ?= 1
fuzz: $(VENV)/.tests
	$(BIN)/python -m tests.fuzzing --minutes $(MINUTES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(INPUTS),--inputs $(INPUTS))

# The documentation as a site, in docs/_site: nothing is fetched, and warnings are errors.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html docs docs/_site
	@echo "docs/_site/index.html"

stub: $(VENV)/.installed
	$(BIN)/python -m accord.doors.functions.stub src/accord/doors/functions/__init__.pyi

papers: $(VENV)/.tests
	ACCORD_SIMULATIONS=2000 ACCORD_HYPOTHESIS=thorough $(PYTEST) --dist loadfile \
		tests/papers tests/golden tests/inference tests/measures tests/alignment tests/simulate tests/consensus \
		tests/contract/test_metamorphic.py
	$(BIN)/python -m studies.coverage docs/coverage.md
	$(BIN)/python -m studies.recovery docs/gold-recovery.svg
	$(BIN)/accord papers -o docs/papers.md --figures docs/papers --force

# Every operation of every command that writes fails, and an x-ray is killed 200 times.
faults: $(VENV)/.tests
	ACCORD_FAULTS=all $(BIN)/python -m pytest -n auto tests/faults
	$(BIN)/python -m tests.faults.killing 200

# Every command on a cluster, workers without memory, a cluster on this machine that is interrupted.
cluster: $(VENV)/.tests
	ACCORD_CLUSTER=all $(BIN)/python -m pytest tests/cluster

# What accord rests on, in environments of their own. `lowest` and `highest` try the bounds of pyproject.toml.
EXTRAS := '.[spss,spacy,excel,large,postgresql,databases,cluster,page]'
audit: .venv-audit
	.venv-audit/bin/python -m pip --quiet install --group audit $(EXTRAS)
	.venv-audit/bin/python -m audit.licences
	.venv-audit/bin/bandit --quiet --recursive --configfile pyproject.toml src
	.venv-audit/bin/python -m audit.weaknesses

lowest highest: %: .venv-%
	$(PYTHON) -m audit.lowest > .bounds-lowest.txt
	: > .bounds-highest.txt
	.venv-$@/bin/python -m pip --quiet install --constraint .bounds-$@.txt $(EXTRAS) $(BOUNDS_TESTED_WITH)
	.venv-$@/bin/python -m pytest -n auto $(BOUNDS)

# What would be published: built twice and compared, looked into, installed far from here and tried, also with uvx and pipx.
# The oldest and the newest Python; those that are not here are for continuous integration: `make package PYTHONS=...`.
# `true`: make forgets what a shell said that ends with "command not found".
PYTHONS ?= $(shell for python in python3.11 python3.14; do $$python -c '' 2>/dev/null && echo $$python; done; true)
package: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
package: .venv-package
	.venv-package/bin/python -m pip --quiet install --group package
	rm -rf dist build/again
	.venv-package/bin/python -m build --outdir dist .
	.venv-package/bin/python -m build --outdir build/again . > build.log && rm build.log
	.venv-package/bin/python -m twine check --strict dist/*
	.venv-package/bin/python -m audit.package dist build/again $(PYTHONS)

# Pages that the site takes from the package, and the tables of names in docs/coming-from.
reference: $(VENV)/.installed
	$(BIN)/python docs/generated.py

.PHONY: .venv-audit .venv-lowest .venv-highest .venv-package .venv-notebooks
.venv-audit .venv-lowest .venv-highest .venv-package .venv-notebooks:
	$(PYTHON) -m venv --clear $@
	$@/bin/python -m pip --quiet install --upgrade 'pip>=25.1'

# Those that tests compare with, and those of docs/plots.md: look at them before they are committed.
GARDEN := examples/garden
pictures: $(VENV)/.tests
	ACCORD_PICTURES=write $(BIN)/python -m pytest tests/figures/test_pictures.py
	$(BIN)/accord plot $(GARDEN)/spans.csv --document letter1 -o docs/plots/alignment.svg
	$(BIN)/accord plot examples/clinic/scale.csv --width one -o docs/plots/scatter.svg
	$(BIN)/accord plot $(GARDEN)/spans.csv --kind disorder --width one -o docs/plots/disorder.svg
	$(BIN)/accord plot $(GARDEN)/sentences.csv --width one -o docs/plots/confusion.svg
	$(BIN)/accord plot $(GARDEN)/sentences.csv --kind pairs --width one -o docs/plots/pairs.svg
	$(BIN)/accord plot $(GARDEN)/sentences.csv --kind forest --by doc --width one -o docs/plots/forest.svg
	$(BIN)/accord plot $(GARDEN)/tone.csv --kind bland_altman --annotators Ana,Ben --width one -o docs/plots/limits.svg
	$(BIN)/python docs/making/pictures.py

# Renew the printed output in the documentation, and the pictures and notebooks of the tutorials: look at what changed.
outputs: $(VENV)/.tests
	ACCORD_DOCS=write $(BIN)/python -m pytest tests/test_docs.py
	ACCORD_TUTORIALS=write $(BIN)/python -m pytest tests/tutorials

# The notebooks of the tutorials, run from the first cell to the last by Jupyter.
notebooks: .venv-notebooks
	.venv-notebooks/bin/python -m pip --quiet install --editable . nbclient ipykernel
	for notebook in docs/tutorials/*.ipynb; do PATH="$(CURDIR)/.venv-notebooks/bin:$$PATH" \
		.venv-notebooks/bin/jupyter-execute --timeout=300 "$$notebook" || exit 1; done

bench: $(VENV)/.bench $(PEER)/.installed $(CROWD)/.installed
	$(BIN)/python -m benchmarks

# What takes some minutes of it, against the ratios of benchmarks/baseline.json: one that is worse is named, and fails.
bench-check: $(VENV)/.bench
	$(BIN)/python -m benchmarks --check start in_memory whole curves first_minute crowds counts

# Ratings past memory, against DuckDB's own `group by`: `make bench-large RATINGS=1e9 FOLDER=/large/disk`.
RATINGS ?= 1e7
bench-large: $(VENV)/.bench
	$(BIN)/python -m benchmarks.large --ratings $(RATINGS) $(if $(FOLDER),--folder $(FOLDER))

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'accord needs Python 3.11 or newer; set PYTHON=...')"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --editable .
	touch $@

$(VENV)/.tests: $(VENV)/.installed
	$(PIP) install --group test --group docs
	$(PIP) install --no-deps 'irrCAC==0.4.4' 'segeval==2.0.11'
	touch $@

$(VENV)/.page: $(VENV)/.installed
	$(PIP) install --editable '.[page]'
	touch $@

$(VENV)/.check: $(VENV)/.tests
	$(PIP) install --group check
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(PIP) install --group docs
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(PIP) install --group bench
	$(PIP) install --no-deps 'segeval==2.0.11'
	touch $@

# What γ is measured against has old dependencies of its own.
$(PEER)/.installed:
	$(PYTHON) -m venv $(PEER)
	$(PEER)/bin/python -m pip --quiet --disable-pip-version-check install 'pygamma-agreement==0.5.9'
	touch $@

# What models of annotators are measured against brings torch and more.
$(CROWD)/.installed:
	$(PYTHON) -m venv $(CROWD)
	$(CROWD)/bin/python -m pip --quiet --disable-pip-version-check install 'crowd-kit==1.4.2'
	touch $@

clean:
	rm -rf report.html docs/_site $(VENV) $(PEER) $(CROWD) .venv-audit .venv-lowest .venv-highest .venv-package .venv-notebooks .bounds-*.txt dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .fuzz
