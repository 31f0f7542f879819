# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Checks that everything fits into a case.

OpenSCAD generates each body in each of its forms. manifold3d then computes the space that two
bodies share, a thousand times faster than OpenSCAD could.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from manifold3d import Error, Manifold, Mesh

from hw.case_make import Case, Form
from hw.openscad import CaseError, Settings, render

TOUCH_MM3 = 0.001
"""Bodies that only touch share less than this volume, which is due to OpenSCAD's rounding to seven
digits."""
FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
HEADER = 84
"""The number of bytes before the first facet. Source:
https://en.wikipedia.org/wiki/STL_(file_format)."""


def check_fit(case: Case, also: Settings | None = None) -> None:
    """Raises CaseError if two bodies overlap although they must not, or if a body doesn't hold a
    part in its place. `also`: additional settings of the .scad file."""
    solids = _solids(case, also or {})

    def shared(a: str, b: str, form: Form) -> Manifold:
        return solids[_key(case, a, form)] ^ solids[_key(case, b, form)]

    found = []
    for a, b, form in pairs_to_check(case):
        both = shared(a, b, form)
        if both.volume() > TOUCH_MM3:
            found.append(
                f"{' '.join((case.scad.stem, *form.values()))}: {_overlap_message(a, b, both)}"
            )
    for a, b in case.held:
        if shared(a, b, {}).volume() <= TOUCH_MM3:
            found.append(f"{case.scad.stem}: {a} does not hold what is {b}")
    if found:
        raise CaseError("\n".join(found))


def pairs_to_check(case: Case) -> Iterator[tuple[str, str, Form]]:
    """Yields each pair of bodies that must not overlap, once for each combination of the settings
    that change them."""
    names = list(case.bodies)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if (a, b) in case.together or (b == "sliding" and a != "base"):
                continue
            for form in case.forms(sorted({*case.bodies[a], *case.bodies[b]})):
                yield a, b, form


def _key(case: Case, body: str, form: Form) -> tuple[str, ...]:
    """Returns the key of a body for these settings: its name, and the values of those settings that
    change it."""
    return (body, *(form[name] for name in case.bodies.get(body, ())))


def _solids(case: Case, also: Settings) -> dict[tuple[str, ...], Manifold]:
    """Returns the bodies of a case by their `_key`, each for every combination of the settings that
    change it. Raises CaseError if one can't be made."""
    held = {body: () for pair in case.held for body in pair}
    bodies = [
        (body, form)
        for body, changed in {**held, **case.bodies}.items()
        for form in case.forms(changed)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool, TemporaryDirectory() as scratch:

        def made(at: int) -> Manifold:
            body, form = bodies[at]
            path = Path(scratch, f"{at}.stl")
            settings = {"show": "body", "which": body, **form, **also}
            return (
                _read_solid(path) if render(case.scad, settings, path, exact=True) else Manifold()
            )

        solids = pool.map(made, range(len(bodies)))
        keys = (_key(case, body, form) for body, form in bodies)
        return dict(zip(keys, solids, strict=True))


def _read_solid(path: Path) -> Manifold:
    """Returns the solid in a binary STL file. Raises CaseError if the file isn't one."""
    corners = np.frombuffer(path.read_bytes(), FACET, offset=HEADER)["corners"].reshape(-1, 3)
    points, facets = np.unique(corners, axis=0, return_inverse=True)
    solid = Manifold(Mesh(points, facets.reshape(-1, 3).astype(np.uint32)))
    if solid.status() != Error.NoError:
        raise CaseError(f"{path.stem} is no solid: {solid.status().name}")
    return solid


def _overlap_message(a: str, b: str, shared: Manifold) -> str:
    """Returns the message about two overlapping bodies, with the size and place of the overlap."""
    low, high = np.split(np.array(shared.bounding_box()), 2)
    size = " × ".join(f"{length:.1f}" for length in high - low)
    at = ", ".join(f"{place:.0f}" for place in low)
    return f"{a} and {b} meet, {size} mm at ({at})"
