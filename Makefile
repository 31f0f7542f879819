# Everything that can be done here. `make run` and `make test` need nothing but make, Python 3.11 or
# newer and the package index: the first time, each installs what it needs into .venv. `make run`
# installs what the page needs and no more.

VENV := .venv
BIN := $(VENV)/bin
# The tests of the page in a browser need more; without a browser they are skipped, but not in CI.
# What was once set up with it stays so.
comma := ,
WHOLE := $(or $(CI),$(wildcard $(VENV)/.ready-ci))
READY := $(VENV)/.ready$(if $(WHOLE),-ci)
# What the page needs; where the rest is installed already, it stays so.
RUN_READY := $(or $(wildcard $(VENV)/.ready-ci),$(wildcard $(VENV)/.ready),$(VENV)/.ready-run)

# A fixed sample of the cases that repeat a property, of browsers, languages and sizes
# (tests/sampling.py); SAMPLE= (nothing) tries all of them.
SAMPLE := --sample

# What `make test` tries: everything, or what the change can affect (tests/changed.py).
CHOSEN = $(if $(CHANGED),$$($(BIN)/python -m tests.changed),$(SAMPLE) tests)
# What pytest returns if none of the chosen tests is of this kind.
NONE := 5
# The rigs that `make rigs` tries.
RIGS := tests/rigs

# Debian's own Python: what makes packages and the card's image comes as Debian's packages, which no
# other Python sees.
DEBIANS := /usr/bin/python3

# The tests start hundreds of programs: what Python has compiled for one serves all.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: tools-release run test test-all test-bounds rigs rigs-ahead rig rig-card rig-card-previous lint packed bench deb hw case hw-board guide words words-report card image release clean help
# Drawing the wiring and making the circuit board need more, too.
HW_READY := $(VENV)/.ready-hw
# So does emulating a seat keypad's Pico.
RIGS_READY := $(VENV)/.ready-rigs

help:            ## what can be done
	@sed -n 's/^\([a-z-]*\): .*## /make \1\t/p' $(MAKEFILE_LIST)

run: $(RUN_READY) ## start the table (more: make run ARGS="--lan")
	@$(BIN)/python -m tests.manual.renew --if-old || { \
	  echo "Installing what makes the help and the translations …"; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[texts]'; \
	  $(BIN)/python -m tests.manual.renew; }
	@$(BIN)/companion run $(ARGS)

test: $(READY)   ## run the tests (what a change can affect: CHANGED=1; some, whole: ARGS="tests/games -x")
ifdef ARGS
	@$(BIN)/python -m pytest -q $(ARGS)
else # all files side by side, one more than processors, as many tests wait; then what is serial, alone
	@chosen="$(CHOSEN)" || exit 1; [ -n "$$chosen" ] || { echo "No test is affected."; exit 0; }; \
	failed=0; \
	$(BIN)/python -m pytest -q -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadfile --no-loadscope-reorder \
	  -m "not serial" $$chosen || [ $$? = $(NONE) ] || failed=1; \
	alone=$$(grep -rl --include='test_*.py' 'mark\.serial' $${chosen#-* }); \
	[ -z "$$alone" ] || $(BIN)/python -m pytest -q -m serial $$alone || failed=1; \
	exit $$failed
endif

test-all:        ## run all tests with all their cases, and all rigs (root and Debian; before an issue is closed)
	@$(MAKE) --no-print-directory test SAMPLE=
	@$(MAKE) --no-print-directory rigs SAMPLE=

test-bounds: $(READY) ## run the tests with the lowest and the newest libraries, on Python 3.11 and 3.13
	@$(BIN)/python -m tests.bounds $(ARGS)

# The thread that Python 3.12 warns of waits for pytest's main process, and has nothing that is forked.
rigs: $(RIGS_READY) ## try it on real kernels and systemd, side by side: needs root and Debian, takes a while
	@$(BIN)/python -m pytest -q -n logical --dist loadscope --no-loadscope-reorder $(SAMPLE) \
	  -W "ignore:.*use of fork:DeprecationWarning" -o python_files='rig_*.py' $(RIGS) $(ARGS)

rigs-ahead: $(RIGS_READY) ## make the Debian systems that the rigs keep, before they ask for them (root and Debian)
	@PYTHONPATH=systemd $(BIN)/python -m tests.rigs.ahead

rig: $(RIGS_READY) ## one rig alone, with all its cases: make rig NAME=service
	@$(BIN)/python -m pytest -q -o python_files='rig_*.py' tests/rigs/rig_$(NAME).py $(ARGS)

rig-card: $(RIGS_READY) ## make the card image and start it on an emulated Raspberry Pi (root; an hour)
	@mkdir -p build
	@test -e build/rig.key || PYTHONPATH=systemd $(DEBIANS) -m image --new-key build/rig.key
	@PYTHONPATH=systemd $(DEBIANS) -m image --bare --key build/rig.key
	@CARD_IMAGE=build/companion.img CARD_KEY=build/rig.key $(BIN)/python -m pytest -q -s tests/rigs/rig_card.py tests/rigs/rig_card_fresh.py $(ARGS)

# The last commit of the release before, whose cards take this version.
PREVIOUS := a1055f57

rig-card-previous: $(RIGS_READY) ## after rig-card: update a card of PREVIOUS=COMMIT to it, and go back (root; an hour)
	@test -e build/companion.img || { echo "First: make rig-card" >&2; exit 1; }
	@rm -rf build/previous && mkdir -p build/previous
	@git clone --quiet --shared . build/previous/source
	@git -C build/previous/source checkout --quiet $(PREVIOUS)
	@cd build/previous/source && PYTHONPATH=systemd $(DEBIANS) -m image --bare --key $(CURDIR)/build/rig.key \
	  --out $(CURDIR)/build/previous --work $(CURDIR)/build/image
	@CARD_BEFORE=build/previous/companion.img CARD_IMAGE=build/companion.img CARD_KEY=build/rig.key \
	  $(BIN)/python -m pytest -q -s tests/rigs/rig_card_previous.py $(ARGS)

lint: $(READY)   ## check types and style, and that the types refuse what they are there to refuse
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q -m mypy tests/console/test_fourth_game.py

packed: $(READY) ## build the wheel and the source distribution in all ways, and try each
	@$(BIN)/python -m pytest -q -m whole tests/test_package.py

bench: $(READY)  ## measure, and print a table (parts by name, the hub's by name alone: make bench ARGS=hub)
	@$(BIN)/python -m tests.bench $(ARGS)

deb:             ## build the Debian package into dist/ (needs debhelper, dh-python, python3-markdown-it and python3-babel)
	@$(DEBIANS) systemd/make_deb.py $(ARGS)

image:           ## make the card image: build/companion.img.zst (says what it needs; 20 minutes)
	@PYTHONPATH=systemd $(DEBIANS) -m image $(ARGS)

release: tools-release $(HW_READY) $(RIGS_READY) ## make all that people without Linux need: build/release (says first what it needs; an hour; KEY=FILE ADDRESS=https://…)
	@PYTHONPATH=systemd $(DEBIANS) -m image $(if $(KEY),--key "$(KEY)") $(if $(NEXT_KEY),--next-key "$(NEXT_KEY)")
	@$(BIN)/python -m hw
	@$(BIN)/python -m hw.board.build
	@PYTHONPATH=systemd $(BIN)/python -m release $(ARGS)

tools-release:
	@PYTHONPATH=systemd $(DEBIANS) -m release.needs

hw: tools-all $(HW_READY) ## draw the wiring, make and check the cases and the circuit board: into build/hw
	@$(BIN)/python -m hw
	@$(BIN)/python -m hw.board.build

case: tools-case $(HW_READY) ## make and check what is to be printed: into build/hw/case
	@$(BIN)/python -m hw case

guide: tools-guide $(HW_READY) ## renew the build guide's tables and pictures
	@$(BIN)/python -m hw guide

hw-board: tools-board $(HW_READY) ## make the circuit board: into build/hw/board
	@$(BIN)/python -m hw.board.build

words: $(READY)  ## list what people read, for translators: build/messages.pot
	@$(BIN)/python -m tests.words

words-report: $(READY) ## list sentences of documents that are long, or read as translated
	@$(BIN)/python -m tests.words_report $(ARGS)

card: $(READY)   ## print the quick cards as PDFs into build (needs chromium)
	@mkdir -p build
	@$(BIN)/python -m tests.manual.card build

clean:           ## forget the virtual environment
	rm -rf $(VENV)

# An environment that is as new as pyproject.toml is added to, another one is made anew.
define SET_UP
@set -e; found=; bare=; \
if [ -z "$$(find $(VENV) -maxdepth 1 -name '.ready*' -newer pyproject.toml 2>/dev/null)" ]; then \
  for python in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
      if "$$python" -c 'import venv, ensurepip' 2>/dev/null; then found=$$python; break; fi; \
      bare=$$python; \
    fi; \
  done; \
  if [ -z "$$found" ] && [ -n "$$bare" ]; then \
    echo "Python's venv module is missing. Install it with: sudo apt install python3-venv" >&2; \
    exit 1; \
  elif [ -z "$$found" ]; then \
    echo "This needs Python 3.11 or newer; none was found." >&2; exit 1; \
  fi; \
  echo "Making $(VENV) with $$found …"; \
  "$$found" -m venv --clear $(VENV); \
fi; \
echo "Installing $(2) …"; \
$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.$(1)'; \
touch $@
endef

$(VENV)/.ready-run: pyproject.toml
	$(call SET_UP,,what the page needs)

$(VENV)/.ready: pyproject.toml
	$(call SET_UP,[dev],what the tests need)

$(VENV)/.ready-ci: pyproject.toml
	$(call SET_UP,[dev$(comma)browser$(comma)hw],what all tests need$(comma) those in a browser too)

# Says all that is missing before anything is made.
tools-%: $(READY)
	@$(BIN)/python -m hw.tools $*

$(HW_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[hw]'; \
	touch $(HW_READY)

$(RIGS_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[rigs]'
	@touch $(RIGS_READY)
