"""The example in docs/events.md equals the output of the commands."""

import re
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.events.event import EventFormat
from companion.events.reading import EVENT_KEYS

PAGE = (Path(__file__).parents[2] / "docs" / "events.md").read_text("utf-8")


@pytest.mark.parametrize("command", ["pair", "standings"])
def test_the_example_has_the_result_on_the_page(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "{" + PAGE.partition("```json\n{")[2].partition("```")[0]  # the one that is whole
    (tmp_path / "friday.json").write_text(text, "utf-8")
    assert main([command, str(tmp_path / "friday.json")]) == 0
    said = PAGE.partition(f"`companion {command} friday.json`:\n\n```\n")[2].partition("```")[0]
    assert capsys.readouterr().out == said


def test_the_page_names_every_key_and_format() -> None:
    quoted = {*re.findall(r"`([a-z-]+)`", PAGE)}
    assert {*EVENT_KEYS, *EventFormat} <= quoted
