"""`make test` tries a fixed share of what the tests can try; `make test-all` tries all of it.

    pytest --sample     the share: the same cases every time
    pytest              everything

What only the whole run tries:

    @pytest.mark.whole                       # a test, a file (pytestmark), or one of the cases
    @pytest.mark.browser                     # unless it is marked smoke, too
    @pytest.mark.sampled(8)                  # all but 8 of the cases of this test
    @pytest.mark.sampled(1, of="seed")       # all but 1 of the seeds, with all other parameters
    @settings(max_examples=examples(100))    # most examples of a property: see EXAMPLES
    for seed in draw(range(750), 250): ...   # within a test: the fixture

Only cases that repeat a property may be sampled: random games, tapes, damages, sizes, languages.
Which cases are tried is drawn once, by the property's name, so that cases of all kinds are among
them. A test that would be the only one of its kind isn't marked.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import pytest
from hypothesis import settings

EXAMPLES = 4
"""A sample tries one in so many examples of a property."""
DEFAULT = 100
"""How many examples a property has that doesn't say."""
FEW = 5
"""How many examples of a property a sample tries at least."""

T = TypeVar("T")
Draw = Callable[[Sequence[T], int], list[T]]


class Sample:
    """The cases that one run tries: all of them, or a share."""

    def __init__(self, share: bool = False) -> None:
        self.share = share

    def draw(self, name: str, cases: Sequence[T], many: int, besides: str = "") -> list[T]:
        """`many` of these cases, in their order. Which ones depends on the property's name and on
        `besides`: what else they are tried with."""
        if not self.share or len(cases) <= many:
            return list(cases)
        chosen = set(Random(f"{name} {besides}").sample(range(len(cases)), many))
        return [case for at, case in enumerate(cases) if at in chosen]

    def examples(self, many: int) -> int:
        """The number of examples of a property that are tried, out of `many`."""
        return max(many // EXAMPLES, min(many, FEW)) if self.share else many


# ---------------------------------------------------------------- as pytest has it

_run = Sample()


def examples(many: int) -> int:
    """The number of examples of a property that this run tries, out of `many`."""
    return _run.examples(many)


def drawn(name: str, cases: Sequence[T], many: int) -> list[T]:
    """The cases of a property that this run tries, for cases that several tests share."""
    return _run.draw(name, cases, many)


def add_option(parser: pytest.Parser) -> None:
    """Adds the option --sample to pytest's command line."""
    told = "try only the share that `make test` tries (tests/sampling.py)"
    parser.addoption("--sample", action="store_true", help=told)


def begin(config: pytest.Config) -> None:
    """Decides what this run tries, before any test is collected."""
    global _run  # noqa: PLW0603 - decorators ask, which know no run
    _run = Sample(bool(config.getoption("--sample")))
    if _run.share:
        settings.register_profile("sampled", settings(), max_examples=examples(DEFAULT))
        settings.load_profile("sampled")
    config.pluginmanager.register(Sampling(_run))


class Sampling:
    """Deselects the tests that the run leaves out."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Deselects all tests that the run doesn't try."""
        if not self._sample.share:
            return
        left = {item for item in items if is_left(item)}
        cases = dict[tuple[str, str], list[pytest.Item]]()
        for item in items:
            if (mark := item.get_closest_marker("sampled")) and item not in left:
                cases.setdefault((property_of(item, mark), others(item, mark)), []).append(item)
        for (name, besides), group in cases.items():
            mark = group[0].get_closest_marker("sampled")
            assert mark
            drawn = set(self._sample.draw(name, [*map(case_of, group)], mark.args[0], besides))
            left |= {item for item in group if case_of(item) not in drawn}
        if left:
            config.hook.pytest_deselected(items=[item for item in items if item in left])
            items[:] = [item for item in items if item not in left]


def is_left(item: pytest.Item) -> bool:
    """Whether a test is left to the whole run, because it is marked so, or needs a browser and
    isn't a smoke test."""
    in_browser = item.get_closest_marker("browser") and not item.get_closest_marker("smoke")
    return bool(in_browser or item.get_closest_marker("whole"))


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw[object]:
    """A function `draw(cases, many)` that returns the cases of a test that this run tries."""
    name = f"{request.node.nodeid.partition('::')[0]}::{request.node.name}"
    return lambda cases, many: _run.draw(name, cases, many)


def property_of(item: pytest.Item, mark: pytest.Mark) -> str:
    """The name of the property that a test repeats: the mark's argument, or the test's own name."""
    return str(mark.kwargs.get("property") or item.nodeid.partition("[")[0])


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
