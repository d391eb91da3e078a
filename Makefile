# make run: the dashboard on http://localhost:8501     make test: everything that proves it works
# Both set up what they need in .venv on their first run and start in seconds after that.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The workshop (rendering, training, export, peers) needs PyTorch: `make test TRAIN=1` installs it and tests that part too.
TRAIN ?=
comma := ,
EXTRAS := test$(if $(TRAIN),$(comma)peers)
TEST_STAMP := $(VENV)/.test$(if $(TRAIN),-train)

.PHONY: run test lint messages clean

run: $(VENV)/.run
	$(BIN)/istaka serve

test: lint
	$(BIN)/pytest --numprocesses logical --maxprocesses 4 --dist worksteal $(PYTEST)

lint: $(TEST_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "istaka needs Python 3.10 or later: install it, or name one with make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "Python's venv is missing: on Debian and Ubuntu run apt install python3-venv"; exit 1; }

$(VENV)/.run: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@# An OpenCV that wants a screen's libraries, brought in by something else, gives way to the headless build.
	@$(BIN)/python -c 'import cv2' 2>/dev/null \
	  || { $(BIN)/python -m pip uninstall --quiet --yes opencv-python opencv-contrib-python; \
	       $(BIN)/python -m pip install --quiet --force-reinstall --no-deps opencv-python-headless; }
	@touch $@

$(TEST_STAMP): $(VENV)/.run
	$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	@touch $@

# The sentences of the pages, as they stand in the code, into the catalogues of the other languages.
messages: $(TEST_STAMP)
	$(BIN)/python -m assistant.dashboard.catalogue

clean:
	rm -rf $(VENV) build *.egg-info
