# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The cases: their contents and printed parts, and checks that everything fits and can be
printed."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from hw.openscad import CaseError, render
from hw.parts import CASE
from hw.solid import faults, read_stl

MODELS = ("zero", "pi3", "pi4", "pi5")
DISPLAYS = ("oled096", "oled13")

Form = dict[str, str]
"""The values of settings of a .scad file that change a body."""


@dataclass(frozen=True, slots=True)
class Print:
    """A printed part. `settings`: variables of the case's .scad file."""

    name: str
    scad: Path
    settings: dict[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Case:
    """A case and its contents. `choices`: the possible values of each setting; `bodies`: the names
    of the bodies in the .scad file, each with the settings that change it; `together`: pairs of
    bodies that may touch, because one is plugged into the other; `held`: pairs of a body, and of
    another part in a wrong position, which the first body has to make impossible. The body
    `sliding` is the space of a part that is put into the base and then slid into place; only the
    base must leave it free."""

    scad: Path
    choices: Mapping[str, tuple[str, ...]] = field(hash=False)
    bodies: Mapping[str, tuple[str, ...]] = field(hash=False)
    together: tuple[tuple[str, str], ...] = (("computer", "plugs"),)
    held: tuple[tuple[str, str], ...] = ()

    def forms(self, changed: Sequence[str]) -> Iterator[Form]:
        """Yields every combination of values of the settings `changed`."""
        for values in product(*(self.choices[name] for name in changed)):
            yield dict(zip(changed, values, strict=True))


BOX = Case(
    CASE / "box.scad",
    {"model": MODELS, "oled_model": DISPLAYS},
    {
        "base": ("model",),
        "lid": ("oled_model",),
        "computer": ("model",),
        "plugs": ("model",),
        "display": ("oled_model",),
        "keypad": (),
        "sliding": ("model",),
    },
)
BIG = Case(
    BOX.scad,
    {"model": MODELS, "oled_model": ("oled242",)},
    {
        "base": ("model", "oled_model"),
        "lid": ("oled_model",),
        "computer": ("model", "oled_model"),
        "plugs": ("model", "oled_model"),
        "display": ("oled_model",),
        "keypad": ("oled_model",),
        "sliding": ("model", "oled_model"),
    },
)
"""The box with the display of 2.42 inches, which is deeper."""
BOARD = Case(
    CASE / "board.scad",
    {"model": MODELS, "oled_model": DISPLAYS},
    {
        "base": ("model",),
        "lid": ("oled_model",),
        "stack": ("model", "oled_model"),
        "plugs": ("model",),
        "caps": (),
        "heads": ("model",),
        "driver": (),
        "sliding": ("model", "oled_model"),
    },
    # The screwdriver is used before the caps and the lid are mounted.
    (
        ("stack", "plugs"),
        ("stack", "caps"),
        ("lid", "driver"),
        ("caps", "driver"),
        ("heads", "driver"),
    ),
)
SEAT = Case(
    CASE / "seat.scad",
    {},
    dict.fromkeys(("base", "lid", "computer", "plugs", "light", "keypad", "tie", "sliding"), ()),
    held=(("base", "lifted"),),
)
CASES = (BOX, BIG, BOARD, SEAT)


def prints() -> Iterator[Print]:
    """Yields all printed parts; any base and any lid of the same case fit together."""
    for case in CASES:
        for show in ("base", "lid"):
            for form in case.forms(case.bodies[show]):
                name = "-".join((case.scad.stem, show, *form.values()))
                yield Print(name, case.scad, {"show": show, **form})


def make_prints(folder: Path) -> None:
    """Writes an STL file of each printed part. Raises CaseError for one that can't be printed."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda one: _make(one, folder), prints()))


def _make(one: Print, folder: Path) -> None:
    path = folder / f"{one.name}.stl"
    if not render(one.scad, one.settings, path):
        raise CaseError(f"{one.name}: there is nothing to print")
    if found := faults(read_stl(path)):
        raise CaseError(f"{one.name} can't be printed: {'; '.join(found)}")
