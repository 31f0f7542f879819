"""The list with which Raspberry Pi Imager 2 offers our card image together with its settings. If
the image is chosen as a file, Imager offers no settings.

The format is Imager's own (os_list, its documentation “Using the Raspberry Pi Imager JSON Schema”).
The list gives the image's address, so there is one only if the release has an address."""

import hashlib
import json
import lzma
from pathlib import Path
from typing import Any, Final

MODELS: Final = {
    "Raspberry Pi 4": "pi4-64bit",
    "Raspberry Pi 3": "pi3-64bit",
    "Raspberry Pi Zero 2 W": "pi3-64bit",
}
"""Boards on which the image runs: their names in Imager's own list, and its tags for them."""
CHUNK: Final = 1 << 20


def imager_list(image: Path, address: str, version: str, day: str) -> str:
    """Returns the list, as JSON, with only our image, which is compressed with xz and published
    below `address`. Raises ValueError if `address` is no address."""
    if not address.startswith(("http://", "https://")):
        raise ValueError(f"{address} is no address: write it as https://example.org/release")
    place = address.rstrip("/")
    size, digest = _unpacked_size_and_sum(image)
    entry = {
        "name": f"Table companion {version}",
        "description": "A scorekeeper for dominoes: Wi-Fi, time zone and ssh keys are taken",
        "icon": f"{place}/icon.svg",
        "url": f"{place}/{image.name}",
        "extract_size": size,
        "extract_sha256": digest,
        "image_download_size": image.stat().st_size,
        "image_download_sha256": hashlib.sha256(image.read_bytes()).hexdigest(),
        "release_date": day,
        "init_format": "cloudinit",
        "devices": sorted({*MODELS.values()}),
    }
    models: list[dict[str, Any]] = [
        {
            "name": name,
            "tags": [tag],
            "description": "",
            "default": not at,
            "matching_type": "exclusive",
        }
        for at, (name, tag) in enumerate(MODELS.items())
    ]
    told = {"imager": {"devices": models}, "os_list": [entry]}
    return json.dumps(told, indent=2) + "\n"


def _unpacked_size_and_sum(image: Path) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    with lzma.open(image) as file:
        while chunk := file.read(CHUNK):
            size += len(chunk)
            digest.update(chunk)
    return size, digest.hexdigest()
