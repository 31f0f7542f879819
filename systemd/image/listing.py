"""Lists every package of the system on the card, with its version and its licences."""

import re
import tarfile
from pathlib import Path

STATUS = "var/lib/dpkg/status"
COPYRIGHT = re.compile("usr/share/doc/([^/]+)/copyright")
FOLDER = re.compile("usr/share/doc/([^/]+)")
COMMON = re.compile("/usr/share/common-licenses/([A-Za-z]+(?:-[0-9]+(?:\\.[0-9]+)?)?)")
PHRASES = {
    "LGPL-2.1+": "GNU Lesser General Public License, version 2.1 (or, at your option, any later",
    "PSF": "PYTHON SOFTWARE FOUNDATION LICENSE",
    "Python license": "This is the Python license.",
    "MIT": "Permission is hereby granted, free of charge, to any person",
    "HPND": "Permission to use, copy, modify, and distribute this software and its",
    "MIT (Open Group)": "Permission to use, copy, modify, distribute, and sell this software",
    "BSD": "Redistribution and use in source and binary forms",
}
"""For licences that have no common text: words by which a copyright file of the older form is
recognised."""
HEAD = (
    "# What the card image carries, package by package, and the licences that its parts name.\n"
    "# Their texts are in the image: /usr/share/doc/PACKAGE/copyright, and those to which these\n"
    "# lead in /usr/share/common-licenses. The sources are Debian's, by the versions that\n"
    "# companion.img.packages names.\n"
)


def packages_in(system: Path) -> str:
    """Returns every package of a system and its version, one package per line. Raises ValueError if
    the system has no list of packages."""
    with tarfile.open(system) as tar:
        for member in tar:
            if member.name.removeprefix("./") == STATUS:
                data = tar.extractfile(member)
                assert data is not None
                return versions(data.read().decode())
    raise ValueError(f"{system} has no list of packages")


def versions(status: str) -> str:
    """Returns every package in dpkg's list `status` and its version, one package per line."""
    pairs = zip(
        re.findall("^Package: (.+)$", status, re.M),
        re.findall("^Version: (.+)$", status, re.M),
        strict=True,
    )
    return "".join(sorted(f"{name} {version}\n" for name, version in pairs))


def licences_in(system: Path) -> str:
    """Returns every package of a system and the licences that its copyright file names, one package
    per line. Raises ValueError if a package has none."""
    texts: dict[str, str] = {}
    links: dict[str, str] = {}
    with tarfile.open(system) as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            if found := COPYRIGHT.fullmatch(name):
                if member.isfile() and (data := tar.extractfile(member)) is not None:
                    texts[found[1]] = data.read().decode(errors="replace")
                else:
                    links[found[1]] = member.linkname.split("/")[-2]
            elif member.issym() and (found := FOLDER.fullmatch(name)):
                links[found[1]] = member.linkname.rstrip("/").split("/")[-1]
    lines = [f"{name}: {', '.join(licences(text))}\n" for name, text in texts.items()]
    lines += [f"{name}: as {other}\n" for name, other in links.items() if other in texts]
    listed = {line.split(":")[0] for line in lines}
    every = {line.split(" ")[0] for line in packages_in(system).splitlines()}
    if lacks := every - listed:
        raise ValueError(f"no licence is known of {', '.join(sorted(lacks))}")
    return HEAD + "".join(sorted(lines))


def licences(text: str) -> list[str]:
    """Returns the licences that a copyright file names in its fields. If it has no such fields,
    they are found from the common licence texts to which it refers, and from its wording."""
    if text.startswith("Format:"):
        named = {word.strip() for word in re.findall("^License:[ \t]*(.+)$", text, re.M)}
    else:
        flat = " ".join(text.split())
        named = {*COMMON.findall(text), *(name for name, has in PHRASES.items() if has in flat)}
    return sorted(named) or ["see its copyright file"]
