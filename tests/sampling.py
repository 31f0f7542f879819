"""If many cases test the same law, a run may try only a share of them, drawn by the commit.

    pytest --sample commit       the share that the commit's hash draws: what `make test` does
    pytest --sample 3f2a91c…     the share that this text draws: repeats an earlier run
    pytest                       all cases: what `make test-all` does, before an issue is closed

Another commit draws other cases, so that in the course of a week every case is tried. The closing
lines of a run say which cases it left out. Only cases that repeat a law may be drawn: random games,
tapes, damages. A test that tells a story of its own always runs. The ways to mark such cases:

    @pytest.mark.sampled(8)                  # of the cases of this test
    @pytest.mark.sampled(1, of="seed")       # of the seeds, each with all other parameters
    @settings(max_examples=examples(100))    # of a property: see EXAMPLES
    for seed in draw(range(750), 250): ...   # within a test: the fixture
"""

import subprocess
import tomllib
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
COMMIT = "commit"
"""The value of --sample that means: draw by the commit's hash."""
EXAMPLES = 4
"""A sample tries one in so many examples of a property."""
DEFAULT = 100
"""How many examples a property has that doesn't say."""
FEW = 5
"""How many examples of a property a sample tries at least."""
SHORT = 12
"""How many letters of a hash people see."""

T = TypeVar("T")
Draw = Callable[[Sequence[T], int], list[T]]


def seed_of(asked: str) -> str:
    """The seed that `asked` means: itself or, for COMMIT, the commit's hash (the program's version
    if there is no commit)."""
    if asked != COMMIT:
        return asked
    # Rigs are run by root, in a folder of somebody else.
    command = ["git", "-c", f"safe.directory={ROOT}", "rev-parse", "HEAD"]
    try:
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        told = None
    if told and told.returncode == 0:
        return told.stdout.strip()[:SHORT]
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


class Sample:
    """The share that one run tries. `seed` draws it; if that is empty, everything is tried."""

    def __init__(self, seed: str = "") -> None:
        self.seed = seed
        self.left_out: dict[str, list[str]] = {}
        """The cases that this run does not try, by the name of their law."""

    def draw(self, law: str, cases: Sequence[T], many: int, besides: str = "") -> list[T]:
        """`many` of these cases, in their order. Which ones depends on the seed, on the law's name
        and on `besides`: what else they are tried with."""
        if not self.seed or len(cases) <= many:
            return list(cases)
        chosen = set(Random(f"{self.seed} {law} {besides}").sample(range(len(cases)), many))
        left = [str(case) for at, case in enumerate(cases) if at not in chosen]
        self.left_out.setdefault(law, []).extend(left)
        return [case for at, case in enumerate(cases) if at in chosen]

    def examples(self, many: int) -> int:
        """How many of so `many` examples of a property are tried."""
        return max(many // EXAMPLES, min(many, FEW)) if self.seed else many

    def told(self) -> list[str]:
        """The closing lines of a run: what drew it, and what was left out."""
        if not self.seed:
            return []
        lines = [
            f"A sample, drawn by {self.seed}: of most properties one example in {EXAMPLES}, and "
            "of these cases not all. `make test-all` tries everything."
        ]
        for law, cases in sorted(self.left_out.items()):
            lines.append(f"  {law}: left out {ranges(sorted(set(cases), key=_in_order))}")
        return lines


def ranges(cases: Sequence[str]) -> str:
    """The cases as a text; numbers that follow one another become “from–to”."""
    found = []
    for is_number, some in groupby(cases, str.isdigit):
        if not is_number:
            found += list(some)
            continue
        for _, row in groupby(enumerate(map(int, some)), lambda one: one[1] - one[0]):
            numbers = [number for _, number in row]
            first, last = numbers[0], numbers[-1]
            found.append(f"{first}" if first == last else f"{first}–{last}")
    return ", ".join(found)


def _in_order(case: str) -> tuple[int, int, str]:
    return (0, int(case), "") if case.isdigit() else (1, 0, case)


# ---------------------------------------------------------------- as pytest has it

_run = Sample()


def examples(many: int) -> int:
    """How many of so `many` examples of a property this run tries."""
    return _run.examples(many)


def drawn(law: str, cases: Sequence[T], many: int) -> list[T]:
    """The cases of a law that this run tries, for cases that several tests share."""
    return _run.draw(law, cases, many)


def add_option(parser: pytest.Parser) -> None:
    """Adds the option --sample to pytest's command line."""
    told = "try a share of the cases that repeat a law, drawn by TEXT, or by the commit's hash"
    parser.addoption("--sample", metavar="TEXT", default="", help=f"{told} (TEXT: {COMMIT})")


def begin(config: pytest.Config) -> None:
    """Decides, before any test is read, what this run tries."""
    global _run  # noqa: PLW0603 - decorators ask, which know no run
    asked = str(config.getoption("--sample"))
    config.option.sample = seed_of(asked) if asked else ""  # so all processes draw by the same
    _run = Sample(config.option.sample)
    if _run.seed:
        many = examples(DEFAULT)
        settings.register_profile("sampled", settings(), max_examples=many, derandomize=False)
        settings.load_profile("sampled")
        config.option.hypothesis_seed = Random(_run.seed).randrange(1 << 32)
    config.pluginmanager.register(Sampling(_run))


class Sampling:
    """Takes cases that were not drawn out of a run, and tells them at the end."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leaves the tests that are drawn, and those that aren't sampled."""
        cases = dict[tuple[str, str], list[pytest.Item]]()
        for item in items:
            if mark := item.get_closest_marker("sampled"):
                cases.setdefault((law_of(item, mark), others(item, mark)), []).append(item)
        left = set[pytest.Item]()
        for (law, besides), group in cases.items():
            mark = group[0].get_closest_marker("sampled")
            assert mark
            drawn = set(self._sample.draw(law, [*map(case_of, group)], mark.args[0], besides))
            left |= {item for item in group if case_of(item) not in drawn}
        if left:
            config.hook.pytest_deselected(items=[item for item in items if item in left])
            items[:] = [item for item in items if item not in left]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A process that ran a part tells the main process what it left out."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self._sample.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """The main process takes what another one left out."""
        told: dict[str, dict[str, list[str]]] = getattr(node, "workeroutput", {})
        for law, cases in told.get("left_out", {}).items():
            self._sample.left_out.setdefault(law, []).extend(cases)

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Prints the closing lines."""
        for line in self._sample.told():
            terminalreporter.write_line(line)


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw[object]:
    """A function `draw(cases, many)` that gives the cases of a test that this run tries."""
    law = f"{request.node.nodeid.partition('::')[0]}::{request.node.name}"
    return lambda cases, many: _run.draw(law, cases, many)


def law_of(item: pytest.Item, mark: pytest.Mark) -> str:
    """The name of the law that a test repeats: what the mark says, or the test's own name."""
    return str(mark.kwargs.get("law") or item.nodeid.partition("[")[0])


def others(item: pytest.Item, mark: pytest.Mark) -> str:
    """The other parameters of a case, as text, if the mark names the one that is sampled (`of`);
    else empty. Raises TypeError if one of them is neither a word nor a number: its text might
    differ between processes."""
    asked = getattr(item, "callspec", None)
    of = mark.kwargs.get("of")
    if of is None or asked is None:
        return ""
    found = {name: one for name, one in sorted(asked.params.items()) if name != of}
    if not all(isinstance(one, str | int) for one in found.values()):
        raise TypeError(f"{item.nodeid}: a sample of {of} wants words and numbers besides")
    return repr(found)


def case_of(item: pytest.Item) -> str:
    """The name of a case: the words in brackets, or its file."""
    _, bracket, words = item.nodeid.partition("[")
    return words.removesuffix("]") if bracket else item.path.stem
