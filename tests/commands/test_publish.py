"""An evening published as a folder: everything that its pages need is in it, with pictures for
previews of links."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.record.rows import PlayerHidden
from companion.web.export.pictures import MOST_STANDINGS, StandingsLine, link_picture
from tests.players.builder import at
from tests.players.conftest import Run
from tests.players.conftest import made as made  # noqa: PLC0414  # a fixture
from tests.players.conftest import path as path  # noqa: PLC0414
from tests.players.conftest import run as run  # noqa: PLC0414
from tests.players.evening_kept import Clock, kept

WHERE = "https://club.example/evenings/1"


class Links(HTMLParser):
    """The addresses that a page needs or links to, and its metadata for previews of links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.told: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found += [named[name] or "" for name in ("href", "src") if name in named]
        if tag == "meta" and "property" in named:
            self.told[named["property"] or ""] = named["content"] or ""


@pytest.mark.pictures
def test_the_folder_has_everything_that_its_pages_load(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "deep"
    status, out, err = run("publish", folder, "--evening", "1", "--address", WHERE + "/")
    assert (status, out, err) == (0, "", "")
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "index.html", "looks.css", "evening.csv", "evening.ics", "evening.png",
        "game-1.html", "game-1.png", "game-2.html", "game-2.png",
    }  # fmt: skip
    for page in sorted(folder.glob("*.html")):
        links = Links(page.read_text("utf-8"))
        for link in links.found:
            if not link.startswith(("data:", "#", "https://app.bgstatsapp.com/createPlay")):
                assert link.partition("#")[0] in names, link
        assert links.told["og:url"] == f"{WHERE}/{page.name}"
        picture = links.told["og:image"].removeprefix(f"{WHERE}/")
        with Image.open(folder / picture) as found:
            assert found.size == (1200, 630)
        assert links.told["og:title"] and links.told["og:description"]
    assert "url(" not in (folder / "looks.css").read_text()
    index = (folder / "index.html").read_text("utf-8")
    assert set(re.findall(r'href="(game-\d+\.html)', index)) == {"game-1.html", "game-2.html"}


@pytest.mark.pictures
def test_table_and_calendar_have_only_that_evening(run: Run, tmp_path: Path) -> None:
    run("publish", tmp_path / "out")
    rows = [*csv.DictReader(io.StringIO((tmp_path / "out" / "evening.csv").read_text()))]
    assert {row["number"] for row in rows} == {"3"}
    assert (tmp_path / "out" / "evening.ics").read_bytes().count(b"BEGIN:VEVENT\r\n") == 1


@pytest.mark.pictures
def test_hidden_people_are_in_no_file(run: Run, path: Path, tmp_path: Path) -> None:
    with kept(path, Clock(at(23))) as store:
        store.keep(0, PlayerHidden("Ada"))
    assert run("publish", tmp_path / "out", "--evening", "1", "--address", WHERE)[0] == 0
    for file in (tmp_path / "out").iterdir():
        assert b"Ada" not in file.read_bytes(), file.name


@pytest.mark.pictures
def test_missing_address_or_library_is_reported_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, err = run("publish", tmp_path / "a")
    assert (status, err.count("\n")) == (0, 1)
    assert "links have no pictures until --address says where the folder will stand" in err
    assert "og:image" not in (tmp_path / "a" / "index.html").read_text()
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    status, _, err = run("publish", tmp_path / "b", "--address", WHERE)
    assert status == 0
    assert "the folder has no pictures for links: A PNG needs the library resvg-py" in err
    assert not [*(tmp_path / "b").glob("*.png")]
    assert "og:image" not in (tmp_path / "b" / "index.html").read_text()


@pytest.mark.parametrize("where", ["club.example", "ftp://club.example", 'https://a"b', "https://"])
def test_an_invalid_address_is_refused(run: Run, tmp_path: Path, where: str) -> None:
    with pytest.raises(SystemExit) as end:
        run("publish", tmp_path / "out", "--address", where)
    assert end.value.code == 2
    assert not (tmp_path / "out").exists()


def test_an_unknown_evening_is_refused(run: Run, tmp_path: Path) -> None:
    status, _, err = run("publish", tmp_path / "out", "--evening", "99")
    assert status == 1
    assert err == "there is no evening 99: “companion evenings” lists them\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("many", [0, 1, 2, 4, 8])
def test_a_link_picture_shortens_long_names_in_the_standings(many: int) -> None:
    standings = [StandingsLine(f"<{'W' * 40}&{each}", 100 + each, "red") for each in range(many)]
    drawn = link_picture("A & <b>" + "x" * 200, "1 November 2026", standings, None)
    root = ElementTree.fromstring(drawn)
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts) == 2 + 2 * min(many, MOST_STANDINGS)
    assert all(len(text) < 80 for text in texts)
