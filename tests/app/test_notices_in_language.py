"""Sentences that other programs of the box send to the table, which translates them into its
language."""

import json
import re
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.app.notice_socket import MAX_NOTICE_CHARS, UNIT_NOTICES, NoticeSocket, send_notice
from companion.card.wifi import Network, explain_events
from companion.core.languages import OWN_NAMES
from companion.core.words import Sentence, counted, listed, phrase, sentence_in, sentence_json
from companion.presentation.language import language_of
from tests.catalogues import translated
from tests.console.rig import Rig
from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[2]


def heard(record: Path, *lines: str) -> list[str]:
    """The notices that the table gets when another program sends these lines."""
    told: SimpleQueue[str] = SimpleQueue()
    notices = NoticeSocket(record, told.put, lambda _: None)
    try:
        assert all(send_notice(record, line) for line in lines)
        return [told.get(timeout=WAIT_S) for _ in lines]
    finally:
        notices.close()


def test_a_sentence_is_shown_in_the_language_of_the_table(tmp_path: Path) -> None:
    known = {"0": Network("Café", "secret words")}
    wrong = explain_events(["CTRL-EVENT-SSID-TEMP-DISABLED id=0 reason=WRONG_KEY"], known)
    assert wrong is not None
    (said,) = heard(tmp_path / "r.db", wrong)
    assert said == "The password of the Wi-Fi “Café” is wrong"
    assert translated("de").translate(said) == "Das Passwort des WLANs „Café“ ist falsch"


def test_plain_text_is_shown_unchanged(tmp_path: Path) -> None:
    said = heard(tmp_path / "r.db", "Aberto às 20 h", '{"say": "{nobody}", "parts": {}}', "[1]")
    assert said == ["Aberto às 20 h", '{"say": "{nobody}", "parts": {}}', "[1]"]
    assert not any(isinstance(one, Sentence) for one in said)


def test_a_long_notice_is_shortened_to_one_line(tmp_path: Path) -> None:
    (said,) = heard(tmp_path / "r.db", phrase("Not copied to the stick: {why}", why="x" * 300))
    assert len(said) == MAX_NOTICE_CHARS


@pytest.mark.parametrize("said", [None, 7, [], {}, {"say": 7, "parts": {}}, {"say": "{a.b}"},
                                  {"say": "{a.b}", "parts": {"a": 1}}])  # fmt: skip
def test_json_that_is_no_sentence_is_shown_as_text(said: object) -> None:
    assert sentence_in(said) is None


@pytest.mark.parametrize(
    "one",
    [
        phrase("Version {version} runs now, in place of {before}", version="2.0", before="1.9"),
        phrase("{pad} is gone", pad=phrase("“{name}” ({kind})", name="a {b}", kind="pad-1")),
        counted("{pad}: 1 press", "{pad}: {number} presses", 1, pad=phrase("Number pads")),
        counted("{pad}: 1 press", "{pad}: {number} presses", 7, pad="x"),
        phrase("{size:.1f} GB free", size=12.34),
        listed((phrase("Sound card"), "b"), ": "),
    ],
)
def test_a_sent_sentence_is_read_back_unchanged(one: Sentence) -> None:
    again = sentence_in(json.loads(json.dumps(sentence_json(one))))
    assert again is not None
    assert (again, again.template, again.plural) == (one, one.template, one.plural)
    for name in OWN_NAMES:
        assert language_of(name).translate(again) == language_of(name).translate(one)


def test_notices_of_systemd_units_are_in_the_catalogue() -> None:
    texts = [path.read_text() for path in (ROOT / "systemd").glob("*.service")]
    texts += [path.read_text() for path in (ROOT / "systemd" / "libexec").iterdir()]
    lines = {line for text in texts for line in re.findall(r'(?:say|--say) "([^"$]+)"', text)}
    assert lines == {*UNIT_NOTICES}


def test_notices_are_displayed_in_the_tables_language(tmp_path: Path) -> None:
    rig = Rig()
    (said,) = heard(tmp_path / "r.db", phrase("Copied to the stick, {time}", time="21:04"))
    view = replace(rig.view, language=translated("de"))
    assert "Auf den Stick kopiert, 21:04" in rig.console.with_error(said).show(view).frame.words
