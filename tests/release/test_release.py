"""The parts of a release, as far as they can be made without other programs."""

import hashlib
import json
import lzma
import os
import re
import runpy
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.core.toml_file import ConfigError
from companion.core.version import VERSION
from hw.bom import cost, parts_of
from hw.case_make import prints
from hw.solid import Solid
from hw.ways import WAYS, recommended
from release.__main__ import (
    KEYPAD_LICENCES,
    MissingError,
    put_example,
    put_image,
    put_list,
    put_wheel,
    release,
    with_release_date,
)
from release.paper import kit_list, manual, papers
from release.plates import plates, write_3mf
from release.signature import sums
from tests.chromium import CHROMIUM
from tests.manual.book import DOCS, ROOT
from tests.manual.card import PICTURED, pages_of, print_pdf

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
CUBE = Solid(
    (
        ((0, 0, 0), (0, 2, 0), (2, 0, 0)),
        ((0, 0, 0), (2, 0, 0), (0, 0, 3)),
        ((0, 0, 0), (0, 0, 3), (0, 2, 0)),
        ((2, 0, 0), (0, 2, 0), (0, 0, 3)),
    )
)


def test_each_plate_has_a_matching_base_and_lid() -> None:
    names = [one.name for one in prints()]
    found = plates(names)
    assert found["box-zero-oled13"] == ("box-base-zero", "box-lid-oled13")
    assert found["box-pi4-oled242"] == ("box-base-pi4-oled242", "box-lid-oled242")
    assert found["seat"] == ("seat-base", "seat-lid")
    assert {name for parts in found.values() for name in parts} == {*names}
    assert not any("oled242" in parts[1] and "oled242" not in parts[0] for parts in found.values())


def test_the_parts_of_a_plate_are_on_the_bed_and_do_not_overlap(tmp_path: Path) -> None:
    path = tmp_path / "plate.3mf"
    write_3mf(path, {"base": CUBE, "lid & more": CUBE})
    again = tmp_path / "again.3mf"
    write_3mf(again, {"base": CUBE, "lid & more": CUBE})
    assert path.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        root = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    assert [one.get("name") for one in root.iter(f"{CORE}object")] == ["base", "lid & more"]
    assert len([*root.iter(f"{CORE}vertex")]) == 2 * 4
    assert len([*root.iter(f"{CORE}triangle")]) == 2 * 4
    moved = [(one.get("transform") or "").split()[9:] for one in root.iter(f"{CORE}item")]
    assert moved == [["0", "0", "0"], ["0", "12", "0"]]


@pytest.mark.parametrize("way", WAYS)
def test_a_kit_list_names_every_part(way: str) -> None:
    text = kit_list(way, WAYS[way].title)
    assert f">{cost(recommended(way)):.2f}</td>" in text
    assert text.count("☐") == len(parts_of(way))


@pytest.mark.browser
@pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed"
)
def test_each_kit_list_and_each_sheet_of_legends_fits_on_one_page(tmp_path: Path) -> None:
    pages = {name: text for name, text in papers() if name.startswith(("kit-list-", "key-"))}
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text)
        print_pdf(tmp_path / f"{name}.html", tmp_path / f"{name}.pdf")
        assert pages_of(tmp_path / f"{name}.pdf") == 1, name
    size = re.search(
        rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", (tmp_path / f"{name}.pdf").read_bytes()
    )
    assert size and abs(float(size[1]) / 72 * 25.4 - 210) < 0.5, "true size"


def test_every_picture_of_a_printed_part_is_found() -> None:
    pictures = {src for _, text in papers() for src in re.findall(r'<img[^>]* (src="[^"]+)"', text)}
    folders = {found[1] for src in pictures if (found := PICTURED.match(src))}
    assert folders == {"pictures", "phone", "drawings"}
    paths = {PICTURED.sub(r"\1/", src).removesuffix('"') for src in pictures}
    assert [path for path in paths if not (DOCS / path).is_file()] == []


def test_the_example_game_is_an_html_page(tmp_path: Path) -> None:
    put_example(tmp_path)
    text = (tmp_path / "example-game.html").read_text("utf-8")
    assert text.startswith("<!doctype html>") and "High Five" in text


def test_the_keypads_licences_are_included() -> None:
    assert "MicroPython" in KEYPAD_LICENCES.read_text("utf-8")


def test_the_manual_has_its_pictures() -> None:
    assert '<img src="pictures/' in manual()


def test_parts_that_cannot_be_made_are_reported_and_the_rest_is_made(tmp_path: Path) -> None:
    def fine(into: Path) -> None:
        (into / "a.txt").write_text("a")

    def not_here(into: Path) -> None:
        raise MissingError("no tools: install them")

    def failing(into: Path) -> None:
        subprocess.run(["false"], check=True)

    out = tmp_path / "release"
    out.mkdir()
    (out / "old").write_text("of an earlier release")
    told = release(out, {"a file": fine, "a board": not_here, "paper": failing})
    assert told == (["a board: no tools: install them", "paper: false failed (1)"], [])
    assert not (out / "old").exists()
    assert "Not in this release: a board" in (out / "VERSIONS.txt").read_text()
    listed = dict(line.split("  ")[::-1] for line in sums(out).splitlines())
    assert listed["a.txt"] == hashlib.sha256(b"a").hexdigest()
    assert (out / "SHA256SUMS").read_text() == sums(out)
    assert "CERN" in (out / "LICENSE-hardware").read_text("utf-8")


def test_package_command_and_changelog_have_the_same_version() -> None:
    """The Debian package, the command, and the first heading of the changelog."""
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    released, between, _ = VERSION.partition(".dev")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## \[([^\]]+)\] - (\S+)$", changes, re.M)
    assert first is not None
    assert (make_deb["version"](), first[1]) == (VERSION, released)
    assert make_deb["debian_version"]("0.4.0.dev0") == "0.4.0~dev0"
    assert first[2] == "unreleased" or (not between and re.fullmatch(r"\d{4}-\d\d-\d\d", first[2]))


def test_a_release_has_the_date_of_its_source_if_known() -> None:
    changes = "# Changelog\n\n## [0.2.0] - unreleased\n- a\n\n## [0.1.0] - 2025-01-01\n"
    assert with_release_date(changes, "2026-11-20") == changes.replace("unreleased", "2026-11-20")
    assert with_release_date(changes, "") == changes


def test_an_image_built_from_older_source_is_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, into = tmp_path / "build", tmp_path / "release"
    build.mkdir()
    into.mkdir()
    for end in ("zst", "xz", "packages", "licences"):
        (build / f"companion.img.{end}").write_text(end)
    monkeypatch.setattr("release.__main__.BUILD", build)
    monkeypatch.setattr("release.__main__._git", lambda *_: "1000")
    os.utime(build / "companion.img.zst", (999, 999))
    with pytest.raises(MissingError, match="older than the source"):
        put_image(into)
    os.utime(build / "companion.img.zst", (1001, 1001))
    put_image(into)
    assert len([*into.iterdir()]) == 4


def test_imagers_list_has_the_images_address_size_and_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytes(range(256)) * 999
    (tmp_path / "companion.img.xz").write_bytes(lzma.compress(data))
    monkeypatch.delenv("ADDRESS", raising=False)
    with pytest.raises(MissingError, match="ADDRESS="):
        put_list(tmp_path)
    monkeypatch.setenv("ADDRESS", "https://example.org/0.2/")
    put_list(tmp_path)
    told = json.loads((tmp_path / "table-companion.rpi-imager-manifest").read_text("utf-8"))
    (entry,) = told["os_list"]
    assert entry["url"] == "https://example.org/0.2/companion.img.xz"
    assert (entry["extract_size"], entry["init_format"]) == (len(data), "cloudinit")
    assert entry["extract_sha256"] == hashlib.sha256(data).hexdigest()
    assert entry["image_download_size"] == (tmp_path / "companion.img.xz").stat().st_size
    tags = {tag for device in told["imager"]["devices"] for tag in device["tags"]}
    assert tags == {*entry["devices"]} and "pi5-64bit" not in tags
    needed = ("name", "description", "icon", "release_date")
    assert all(entry[name] for name in needed[:3]) and "release_date" in entry
    monkeypatch.setenv("ADDRESS", "ftp:/x")
    with pytest.raises(MissingError, match="no address"):
        put_list(tmp_path)


def test_a_programming_error_is_not_reported_as_a_missing_tool(tmp_path: Path) -> None:
    def broken(into: Path) -> None:
        raise ConfigError("x")

    with pytest.raises(ConfigError):
        release(tmp_path / "release", {"x": broken})


def test_the_wheel_is_built_from_the_commit(tmp_path: Path) -> None:
    put_wheel(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"table_companion-{VERSION}-py3-none-any.whl",
        f"table_companion-{VERSION}.tar.gz",
    ]
    with zipfile.ZipFile(tmp_path / f"table_companion-{VERSION}-py3-none-any.whl") as wheel:
        names = wheel.namelist()
        assert "companion/presentation/locale/de/LC_MESSAGES/companion.mo" in names
        assert not [name for name in names if name.endswith(".po")]
