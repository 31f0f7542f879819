"""Ratings over events: calculated on request, with their uncertainty, and the same as another
library's."""

import json
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.commands.events import event_ratings
from companion.events.reading import read_event
from tests.events.playing import event_of, play


@pytest.mark.openskill
def test_ratings_equal_those_of_another_library() -> None:
    from openskill.models import PlackettLuce

    text = event_of(13)
    play(text, 6, seed=4)
    model = PlackettLuce()
    theirs = {one["id"]: model.rating() for one in text["players"]}
    for each in text["rounds"]:
        for table in each["tables"]:
            teams = [[theirs[seat]] for seat in table["seats"]]
            scores = (table["corrected"] or table)["points"]
            ranks = [float(sum(other > own for other in scores)) for own in scores]
            for seat, (new,) in zip(table["seats"], model.rate(teams, ranks=ranks), strict=True):
                theirs[seat] = new
    ours = event_ratings([read_event(json.dumps(text))])
    for seat, rated in ours.items():
        assert rated.rating.mean == pytest.approx(theirs[seat].mu)
        assert rated.rating.spread == pytest.approx(theirs[seat].sigma)


def test_ratings_appear_only_on_request_and_after_enough_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = event_of(9)
    play(text, 4, seed=1)
    file = tmp_path / "e.json"
    file.write_text(json.dumps(text))
    assert main(["standings", str(file), "--json"]) == 0
    assert "rating" not in capsys.readouterr().out
    assert main(["standings", str(file), "--json", "--ratings"]) == 0
    told = json.loads(capsys.readouterr().out)["standings"]
    assert [one["rating"] for one in told] == [None] * 9
    text = event_of(9)
    play(text, 5, seed=1)
    file.write_text(json.dumps(text))
    assert main(["standings", str(file), "--ratings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(" ± " in line for line in lines) == 9
    assert main(["standings", str(file), "--json", "--ratings"]) == 0
    told = json.loads(capsys.readouterr().out)["standings"]
    assert {one["rating"]["tables"] for one in told} == {5}


def test_partners_have_no_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "e.json"
    file.write_text(json.dumps(event_of(8, format="partners")))
    assert main(["standings", str(file), "--ratings"]) == 2
    assert "single players" in capsys.readouterr().err
