"""An event on paper: the text of its pages, and how many A4 and letter pages it takes."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.core.html import translated_by
from companion.events.draw import NextRound
from companion.events.event import ClubEvent
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.presentation.language import language_of
from companion.web.export.event_paper import (
    certificates,
    check_in_list,
    door_code,
    embedded_style,
    league_sheet,
    pairings,
    result_slips,
    round_to_print,
    standings_sheet,
    table_cards,
)
from tests.browser import browser as browser  # noqa: PLC0414  # a fixture
from tests.events.playing import Text, draw, event_of, play, play_by_lot
from tests.made_up import MADE_UP, english
from tests.manual.card import pages_of

KINDS = ("cards", "pairings", "standings", "certificates", "slips", "list")


def papers(text: Text, folder: Path, *more: str, kinds: tuple[str, ...] = KINDS) -> dict[str, str]:
    """The output of `companion paper`: the HTML of each kind."""
    (folder / "event.json").write_text(json.dumps(text), "utf-8")
    asked = [each for kind in kinds for each in (f"--{kind}", str(folder / f"{kind}.html"))]
    assert main(["paper", str(folder / "event.json"), *asked, *more]) == 0
    return {kind: (folder / f"{kind}.html").read_text("utf-8") for kind in kinds}


def words(html: str) -> list[str]:
    """The texts of a page, without its style."""
    body = html.partition("<body>")[2]
    body = re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL)
    return [unescape(one).strip() for one in re.split(r"<[^>]*>", body) if one.strip()]


_DRAWN: dict[str, NextRound] = {}


def drawn_once(event: ClubEvent) -> NextRound:
    """`draw_round`, cached by event, as it always seats the same people in the same way."""
    if (known := repr(event)) not in _DRAWN:
        _DRAWN[known] = draw_round(event)
    return _DRAWN[known]


@pytest.fixture(autouse=True)
def draws_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws each round only once, as drawing takes most of the time and is not tested here."""
    for user in ("companion.web.export.event_paper", "tests.events.playing"):
        monkeypatch.setattr(f"{user}.draw_round", drawn_once)


@pytest.fixture(scope="module")
def evening() -> Text:
    text = event_of(22)
    play_by_lot(text, 8)
    return text


def test_cards_and_pairings_show_the_next_round(evening: Text, tmp_path: Path) -> None:
    made, drawn = papers(evening, tmp_path), draw(evening)
    cards, pairs = words(made["cards"]), words(made["pairings"])
    for table in drawn["tables"]:
        at = cards.index(f"Table {table['table']}")
        names = [f"Name {one[1:]}" for one in table["seats"]]
        assert cards[at + 2 : at + 2 * len(names) + 1 : 2] == names
        for name in names:
            assert pairs[pairs.index(name) + 1] == str(table["table"])
    assert cards[0] == "Friday fives · Round 9 · DRAFT, not published"
    assert "<svg" not in made["cards"]


def test_a_round_being_played_is_printed_unchanged(evening: Text, tmp_path: Path) -> None:
    drawn = draw(evening)
    open_round = [{**one, "points": None} for one in drawn["tables"]]
    text = {**evening, "rounds": [*evening["rounds"], {"tables": open_round, "bye": []}]}
    now = papers(text, tmp_path, kinds=("cards", "pairings", "slips"))
    draft = papers(evening, tmp_path, kinds=("cards", "pairings", "slips"))
    marked = {kind: page.replace(" · DRAFT, not published", "") for kind, page in draft.items()}
    assert (now, now == draft) == (marked, False)


def test_after_the_last_round_paper_shows_that_round_again(evening: Text, tmp_path: Path) -> None:
    text = {**evening, "event": 2, "planned": 8}
    cards = words(papers(text, tmp_path, kinds=("cards",))["cards"])
    assert cards[0] == "Friday fives · Round 8"


def check_columns_add_up(standings: str, rounds: int) -> list[list[str]]:
    """The rows of printed standings over so many rounds, whose columns add up to the points."""
    made = standings.partition("<tbody>")[2]
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr><td>.*?</tr>", made)]
    for row in rows:
        *each, total = map(float, row[2 : rounds + 3])
        assert sum(each) == pytest.approx(total, abs=0.01 * rounds), row
    return rows


def test_rounds_add_up_to_the_points_of_the_standings(evening: Text, tmp_path: Path) -> None:
    made = papers(evening, tmp_path)["standings"]
    assert len(check_columns_add_up(made, 8)) == 22


@pytest.mark.parametrize("kind", ["tables", "swiss", "partners"])
def test_a_latecomer_s_points_are_in_the_rounds_that_were_missed(kind: str, tmp_path: Path) -> None:
    """So is a penalty in the round in which it was given, also before that round has a result."""
    text = event_of(9, format=kind, event=2, late=0.5, penalty={"points": 1})
    play(text, 2)
    text["players"] += [{"id": f"late {n}", "name": f"Zoe {n}", "late": True} for n in (1, 2, 3)]
    play(text, 1)
    text["rounds"].append(
        {"tables": [{**one, "points": None} for one in draw(text)["tables"]], "bye": []}
    )
    text["penalties"] = [{"player": "p1", "round": 2, "kind": "points"},
                         {"player": "p2", "round": 4, "kind": "points"}]  # fmt: skip
    rows = check_columns_add_up(papers(text, tmp_path, kinds=("standings",))["standings"], 4)
    late = [row for row in rows if row[1].startswith("Zoe")]
    assert [row[2:4] for row in late] == [["0.5", "0.5"]] * 3


@pytest.mark.parametrize(
    ("results", "heading", "rounds"),
    [(0, "Standings after round 8", 8), (2, "Standings during round 9", 9),
     (6, "Standings after round 9", 9)],
)  # fmt: skip
def test_a_round_in_progress_counts_from_its_first_result(
    evening: Text, tmp_path: Path, results: int, heading: str, rounds: int
) -> None:
    tables = [
        {**one, "points": [150, 80, 40, 20][: len(one["seats"])] if at < results else None}
        for at, one in enumerate(draw(evening)["tables"])
    ]
    text = {**evening, "rounds": [*evening["rounds"], {"tables": tables, "bye": []}]}
    said = words(papers(text, tmp_path, kinds=("standings",))["standings"])
    assert said[0] == f"Friday fives: {heading}"
    assert said[1 : 2 + rounds] == [*map(str, range(1, rounds + 1)), "Points"]


def test_lists_on_paper_are_sorted_by_plain_letters_and_numbers(tmp_path: Path) -> None:
    text = event_of(6)
    called = ("Zoë", "Guest 10", "Óscar", "olga", "Påul", "guest 2")
    for one, name in zip(text["players"], called, strict=True):
        one["name"] = name
    made = papers(text, tmp_path, kinds=("pairings", "list"))
    in_order = ["guest 2", "Guest 10", "olga", "Óscar", "Påul", "Zoë"]
    assert [one for one in words(made["list"]) if one != "☐"][1:] == in_order
    assert words(made["pairings"])[1:13:2] == in_order


def test_the_first_places_get_a_certificate(evening: Text, tmp_path: Path) -> None:
    said = words(papers(evening, tmp_path, "--places", "2")["certificates"])
    assert said.count("1st place") == said.count("2nd place") == 1
    assert said.count("Friday fives") == 2


def test_papers_of_teams_name_them_and_tell_players_from_teams(tmp_path: Path) -> None:
    text = event_of(4, format="swiss", event=2)
    people = [one["id"] for one in text["players"]]
    teams = ("Ship Inn", people[:2]), ("Crown", people[2:])
    text["teams"] = [{"name": name, "people": each} for name, each in teams]
    play(text, 1)
    made = papers(text, tmp_path, "--places", "1", kinds=("cards", "certificates"))
    heading = words(made["cards"])[0]
    assert "Ship Inn" in heading and "Crown" in heading
    titles = re.findall('class="event">(.*?)<', made["certificates"])
    assert titles[0] == text["name"]
    assert titles[1:] and {*titles[1:]} == {f"{text['name']} · Players"}


@pytest.mark.pictures
def test_a_code_on_a_card_leads_to_its_table(evening: Text, tmp_path: Path) -> None:
    import zxingcpp
    from PIL import Image
    from resvg_py import svg_to_bytes

    made = papers(evening, tmp_path, "--address", "http://hub.test/table/{table}")["cards"]
    codes = re.findall(r"<svg.*?</svg>", made, flags=re.DOTALL)
    assert len(codes) == 6
    (tmp_path / "code.png").write_bytes(
        bytes(svg_to_bytes(codes[2].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)))
    )
    with Image.open(tmp_path / "code.png") as picture:
        code = zxingcpp.read_barcode(picture)
    assert code is not None and code.text == "http://hub.test/table/3"


def test_names_are_escaped_on_paper(tmp_path: Path) -> None:
    text = event_of(4)
    text["players"][0]["name"] = "<b>Zoë & Co</b>"
    assert "<b>Zoë & Co</b>" in words(papers(text, tmp_path)["cards"])


def test_missing_arguments_for_paper_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "event.json").write_text(json.dumps(event_of(4)), "utf-8")
    event = str(tmp_path / "event.json")
    assert main(["paper", event]) == 2
    assert main(["paper", event, "--cards", str(tmp_path / "no" / "cards.html")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert "--certificates" in said[0]
    assert "no such file or directory" in said[1]


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_no_paper_page_is_cut_off(tab: Any, evening: Text, tmp_path: Path, paper: str) -> None:
    long = "Maximiliane-Wilhelmina van den Oudenhoven-Steenbergen"
    named = {**evening, "players": [{**one, "name": f"{long} {one['name']}"}
                                    if at < 6 else one
                                    for at, one in enumerate(evening["players"])]}  # fmt: skip
    papers(named, tmp_path, "--address", "http://hub.test/table/{table}")
    found = {}
    for kind in KINDS:
        tab.goto((tmp_path / f"{kind}.html").as_uri())
        tab.pdf(path=tmp_path / "it.pdf", format=paper, prefer_css_page_size=True)
        found[kind] = pages_of(tmp_path / "it.pdf")
        tab.emulate_media(media="print")
        tab.set_viewport_size({"width": 703, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= 703, kind
    assert found == {
        "cards": 3,
        "pairings": 2,
        "standings": 1,
        "certificates": 3,
        "slips": 2,
        "list": 1,
    }


def test_paper_in_another_language_has_no_english(evening: Text) -> None:
    event = read_event(json.dumps(evening).replace('"Name ', '"Pi_'))
    look = embedded_style()
    with translated_by(MADE_UP.translate):
        playing = round_to_print(event)
        made = (
            table_cards(event, playing, look),
            pairings(event, playing, look),
            standings_sheet(event, look),
            certificates(event, look, 22, None),
            result_slips(event, playing, look),
            check_in_list(event, look),
            door_code(event, look, "http://192.0.2.7/event/1/here"),
            league_sheet([event, event], look),
        )
    for paper in made:
        left = english(" ".join(words(paper)).replace("Friday fives", ""))
        assert left <= {"Pi"}, paper[:200]
        assert '<html lang="x-made-up">' in paper


def test_names_on_paper_are_not_translated_as_colours(evening: Text) -> None:
    names = {"Name 1": "White", "Name 2": "Pink"}
    text = json.dumps(evening)
    for was, now in names.items():
        text = text.replace(f'"{was}"', f'"{now}"')
    event, look = read_event(text), embedded_style()
    with translated_by(language_of("de").translate):
        made = (
            check_in_list(event, look),
            standings_sheet(event, look),
            certificates(event, look, 22, None),
            table_cards(event, round_to_print(event), look),
        )
    for paper in made:
        assert {*names.values()} <= {*words(paper)}


def test_teams_get_a_certificate_with_their_people(tmp_path: Path) -> None:
    text = event_of(4, event=2, format="swiss", name="League night")
    text["teams"] = [
        {"name": "Ship Inn", "people": ["p1", "p2"]},
        {"name": "Black", "people": ["p3", "p4"]},
    ]
    tables = [
        {"table": 1, "seats": ["p1", "p3"], "points": [150, 40], "corrected": None},
        {"table": 2, "seats": ["p4", "p2"], "points": [60, 150], "corrected": None},
    ]
    text["rounds"] = [{"tables": tables, "bye": []}]
    made = papers(text, tmp_path, "--places", "2", kinds=("certificates",))["certificates"]
    said = words(made)
    assert said[1:5] == ["Ship Inn", "Name 1, Name 2", "1st place", "2 points"]
    assert said[said.index("Black") :][1:4] == ["Name 3, Name 4", "2nd place", "0 points"]
    assert said.index("Black") < said.index("Name 1")  # the players' own come last


def test_players_who_never_played_get_no_place_or_certificate(tmp_path: Path) -> None:
    text = event_of(5)
    text["players"][4]["name"], text["out"] = "Gone", ["p5"]
    table = {"table": 1, "seats": ["p1", "p2", "p3", "p4"], "points": [150, 90, 70, 10]}
    text["rounds"] = [{"tables": [table], "bye": []}]
    made = papers(text, tmp_path, "--places", "9", kinds=("standings", "certificates"))
    said = words(made["standings"])
    assert said[said.index("Gone") - 1] == "–"
    assert "Gone" not in words(made["certificates"])
    assert len(re.findall('class="certificate"', made["certificates"])) == 4
