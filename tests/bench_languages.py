"""Figures of the languages, each beside English in the same run: how soon the table shows
something, and how many bytes a key press changes on the display's wire.
"""

import statistics
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.core.languages import OWN_NAMES
from companion.presentation.language import ENGLISH
from tests.bench_process import Process
from tests.catalogues import renew_catalogues, translated
from tests.console import rig as rigs
from tests.console.test_wire import EVENING
from tests.console.typist import type_game

RUNS = 15
LATER_MS = 10
MORE = 1.1


def bytes_a_press(name: str) -> float:
    """Mean bytes on the wire per key press, in an evening at a display in the language `name`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rigs, "LANGUAGE", ENGLISH if name == ENGLISH.name else translated(name))
        return statistics.mean(cost for game in EVENING for cost in type_game(*game)[0].costs)


def starts(*names: str) -> list[list[Process]]:
    """Processes that showed a first picture and ended, for each run one in each of these languages.
    As they take turns, anything that slows the machine for a while slows all languages."""
    renew_catalogues()
    with TemporaryDirectory() as folder:
        record, compiled = Path(folder) / "record.db", Path(folder) / "compiled"
        found = list[list[Process]]()
        for _ in range(RUNS + 1):  # the first one compiles
            found.append([])
            for name in names:
                found[-1].append(process := Process(record, compiled, "", name))
                process.end()
    return [*map(list, zip(*found[1:], strict=True))]


def bench_languages() -> list[tuple[str, str, str]]:
    """Gives lines of the table: (what, measured, compared with)."""
    each = starts("en", "es")
    wall = [statistics.median(one.first_picture_s for one in some) for some in each]
    cpu = [statistics.median(one.first_picture_cpu_s for one in some) for some in each]
    told = [
        (what, f"{(there - here) * 1e3:+.1f} ms", f"+{LATER_MS} ms (English: {here * 1e3:.0f} ms)")
        for what, (here, there) in (
            (f"a start in Spanish against English, {RUNS} of each", wall),
            ("the same, time of the processor", cpu),
        )
    ]
    sizes = {name: bytes_a_press(name) for name in OWN_NAMES}
    plain = sizes.pop(ENGLISH.name)
    return told + [
        (
            f"wire bytes a key press in {OWN_NAMES[name]}, on the average",
            f"{size:.1f}, {size / plain:.1%}",
            f"{MORE:.0%} of English: {plain:.1f}",
        )
        for name, size in sizes.items()
    ]


if __name__ == "__main__":
    for line in bench_languages():
        print(*line, sep="   ")
