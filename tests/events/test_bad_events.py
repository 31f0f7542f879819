"""Every fault of an event's text is reported in one line that names the place."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.commands.cli import main
from companion.events.event import EventError
from companion.events.reading import read_event
from tests.events.playing import Text, draw, event_of, play


def event() -> Text:
    text = event_of(9, wishes=[{"apart": ["p1", "p2"]}])
    play(text, 1)
    return text


def table(text: Text) -> Text:
    found: Text = text["rounds"][0]["tables"][0]
    return found


WRONG: dict[str, Callable[[Text], object]] = {
    "the event has no key sead; did you mean seed?": lambda text: text.update(sead="x"),
    "the event lacks its key players": lambda text: text.pop("players"),
    "event must be 1 or 2, the version of this text, not 3": lambda text: text.update(event=3),
    "format is not swis; did you mean swiss?": lambda text: text.update(format="swis"),
    "seats must be 2 where the format is knockout": lambda text: text.update(
        format="knockout", seats=4
    ),
    "seats must be a whole number from 2 to 4, not 5": lambda text: text.update(seats=5),
    "players lists no players": lambda text: text.update(players=[]),
    "players names p1 twice": lambda text: text["players"].append({"id": "p1", "name": "B"}),
    "players 2 has no key nmae; did you mean name?": lambda text: text["players"][1].update(
        nmae=""
    ),
    "out 1 names an unknown player: p99; did you mean p9?": lambda text: text.update(out=["p99"]),
    "round 1 has table 1 twice: keep the result that counts": lambda text: text["rounds"][0][
        "tables"
    ].append({"table": 1, "seats": ["p1", "p2"]}),
    "round 1 names p1 twice": lambda text: text["rounds"][0].update(bye=["p1"]),
    "round 1, table 1 points must have 3 numbers, one for each seat": lambda text: table(
        text
    ).update(points=[1, 2]),
    "round 1, table 1 corrected lacks its key why": lambda text: table(text).update(
        corrected={"points": [1, 2, 3], "by": "judge"}
    ),
    "points of 4 must have 4 numbers, one for each place": lambda text: text.update(
        points={"4": [4, 2, 1]}
    ),
    'wishes 1 must have "apart", "closed", or "table" and "player"': lambda text: text.update(
        wishes=[{"table": 1}]
    ),
    "name must be a text in quotes, not 7": lambda text: text.update(name=7),
    "pairs is only for the format partners": lambda text: text.update(pairs=[["p1", "p2"]]),
}


@pytest.mark.parametrize("said", WRONG)
def test_errors_describe_the_fault_and_its_place(said: str) -> None:
    text = event()
    WRONG[said](text)
    with pytest.raises(EventError) as error:
        read_event(json.dumps(text))
    assert str(error.value) == said


MANY_KEYS = ", ".join(f'"k{at}": 1' for at in range(100_000))
"""So many keys that comparing each of them with each other takes minutes."""
LAST_KEY = '"k99999": 1'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is not JSON: line 1, column 1: expecting value"),
        ("[1]", "the event must be an object in { }, not [1]"),
        ('{"event": 1, "event": 1}', "the key event appears twice in one object"),
        ('{"event": NaN}', "NaN is not a number"),
        ('{"event": 1e999}', "1e999 has too many digits"),
        ("[" * 100_000, "this is nested too deeply to be an event"),
        (f"{{{MANY_KEYS}, {LAST_KEY}}}", "the key k99999 appears twice in one object"),
    ],
)
def test_text_that_is_not_an_event_is_refused(text: str, said: str) -> None:
    with pytest.raises(EventError) as error:
        read_event(text)
    assert str(error.value) == said


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3),
                    lambda inner: st.lists(inner, max_size=3), max_leaves=4),
       st.sampled_from([*event(), "x"]))  # fmt: skip
def test_a_random_value_is_read_or_raises_event_error(value: object, key: str) -> None:
    text = {**event_of(5), key: value}
    try:
        read_event(json.dumps(text))
    except EventError as error:
        assert "\n" not in str(error)


def refused(text: Text) -> str:
    with pytest.raises(EventError) as error:
        draw(text)
    return str(error.value)


def test_impossible_rounds_are_refused_with_a_reason() -> None:
    text = event()
    table(text)["points"] = None
    assert refused(text).startswith("round 1, table 1 has no result yet")
    text = event_of(4, format="knockout")
    play(text, 1)
    table(text)["points"] = [90, 90]
    assert refused(text).startswith("round 1, table 1 is a draw")
    table(text)["points"] = [90, 150]
    text["players"].append({"id": "late", "name": "Late"})
    assert refused(text).startswith("late came after the first round")
    text = event_of(4, format="partners", pairs=[["p1", "p2"]])
    assert refused(text).startswith("p3 has no partner")
    text = event_of(4, format="partners", pairs=[["p1", "p2"], ["p3", "p4"]], out=["p4"])
    assert refused(text).startswith("p3's partner p4 is out")
    assert refused(event_of(2, out=["p1", "p2"])).startswith("everybody is out")


# ---------------------------------------------------------------- as commands


def test_a_missing_result_gives_exit_status_2_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = event()
    table(text)["points"] = None
    path = tmp_path / "friday.json"
    path.write_text(json.dumps(text))
    assert main(["pair", str(path), "--json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"{path}: round 1, table 1 has no result yet")
    assert main(["standings", str(path)]) == 0
    assert "round 1, table 1 has no result yet" in capsys.readouterr().out
    for wrong in (str(tmp_path), str(tmp_path / "none")):
        assert main(["standings", wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_pair_and_standings_print_text_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = event()
    table(text)["corrected"] = {"points": [0, 5, 150], "by": "judge", "why": "seats mixed up"}
    path = tmp_path / "friday.json"
    path.write_text(json.dumps(text))
    assert main(["pair", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == draw(text)
    assert main(["pair", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Round 2 of Friday fives\n  table 1    Name ")
    assert main(["standings", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["after"] == 1
    assert [*found["standings"][0]] == [
        "place", "player", "points", "won", "for", "against", "opponents", "parted_by",
    ]  # fmt: skip
    assert main(["standings", str(path)]) == 0
    assert "to 0-5-150: seats mixed up" in capsys.readouterr().out
