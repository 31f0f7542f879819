"""Print plates as 3MF files: base and lid of a case side by side on the bed.

Source of the format: 3MF Core Specification 1.3, https://github.com/3MFConsortium/spec_core.
"""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

from hw.solid import Point, Solid

GAP_MM = 10.0
THEN = (1980, 1, 1, 0, 0, 0)
"""The time that all files of an archive have, so that the same solids give the same file."""
TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>'
    "</Types>\n"
)
RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
)
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" '
    'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n<resources>\n'
)


def write_3mf(path: Path, solids: Mapping[str, Solid]) -> None:
    """Writes these solids, with their names, one behind the other on the bed."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (
            ("[Content_Types].xml", TYPES),
            ("_rels/.rels", RELATIONS),
            ("3D/3dmodel.model", model(solids)),
        ):
            entry = zipfile.ZipInfo(name, THEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)


def model(solids: Mapping[str, Solid]) -> str:
    """Returns the solids in the 3MF format, as text."""
    objects, items, at = [], [], 0.0
    for number, (name, solid) in enumerate(solids.items(), 1):
        objects.append(
            f'<object id="{number}" type="model" name={quoteattr(name)}><mesh>\n{_mesh(solid)}'
            "</mesh></object>\n"
        )
        low = solid.corners[0]
        moved = " ".join(f"{place:g}" for place in (-low[0], at - low[1], -low[2]))
        items.append(f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {moved}"/>\n')
        at += solid.size[1] + GAP_MM
    return f"{HEAD}{''.join(objects)}</resources>\n<build>\n{''.join(items)}</build>\n</model>\n"


def _mesh(solid: Solid) -> str:
    known: dict[Point, int] = {}
    triangles = [
        [known.setdefault(point, len(known)) for point in triangle] for triangle in solid.triangles
    ]
    points = (f'<vertex x="{x:g}" y="{y:g}" z="{z:g}"/>\n' for x, y, z in known)
    faces = (f'<triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in triangles)
    return f"<vertices>\n{''.join(points)}</vertices>\n<triangles>\n{''.join(faces)}</triangles>\n"


def plates(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Returns two file names by the name of each plate: a base and a lid. There is a plate for
    every pair of a base and a lid that belong to the same case and fit the same display."""
    names = sorted(names)
    found = {}
    for base in (name for name in names if "-base" in name):
        kind, _, form = base.partition("-base")
        for lid in (name for name in names if name.startswith(f"{kind}-lid")):
            display = lid.removeprefix(f"{kind}-lid")
            told = next((word for word in form.split("-") if word.startswith("oled")), "")
            if told == display.strip("-") or (not told and display != "-oled242"):
                plate = kind + form + ("" if told else display)
                found[plate] = (base, lid)
    return found
