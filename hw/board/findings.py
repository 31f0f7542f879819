# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The findings of KiCad's checks of circuit and board (ERC and DRC), without those explained in
exceptions.toml."""

import json
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hw.board.layout import HERE, read

EXCEPTIONS = HERE / "exceptions.toml"


def findings(report: Path) -> Iterator[str]:
    """Yields each violation in a KiCad report (JSON) as one line: its kind, the fault, and the
    place."""
    told = json.loads(report.read_text(encoding="utf-8"))
    lists: list[list[dict[str, Any]]] = [
        told.get(name, []) for name in ("violations", "unconnected_items", "schematic_parity")
    ]
    lists += [sheet["violations"] for sheet in told.get("sheets", [])]
    for one in (one for violations in lists for one in violations):
        items = "; ".join(item["description"] for item in one["items"])
        yield f"{one['type']}: {one['description']} ({items})"


def unexplained(found: Iterable[str], exceptions: Path = EXCEPTIONS) -> list[str]:
    """Returns the findings that match no exception, and a line for each exception that no longer
    matches a finding."""
    rules = read(exceptions).get("exception", [])
    used, left = set(), []
    for line in found:
        covers = [i for i, rule in enumerate(rules) if fnmatchcase(line, rule["finding"])]
        used.update(covers)
        if not covers:
            left.append(line)
    left += [
        f"exceptions.toml explains what isn't found any more: {rule['finding']}"
        for i, rule in enumerate(rules)
        if i not in used
    ]
    return left
