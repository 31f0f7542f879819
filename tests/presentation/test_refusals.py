"""Refusals: templates with named parts, formatted in one place."""

import ast

import pytest

from companion.core.errors import EntryError, RuleError
from companion.core.words import Sentence
from companion.presentation.language import language_of
from companion.record.store.database import StoreError
from tests.made_up import speaking
from tests.playing import table
from tests.presentation.templates import calls_of, no_templates

RECORD = {"StoreError", "LockedError", "OvertakenError", "DamagedError"}
SAID = {"EntryError", "RuleError", "Sentence", *RECORD}
HANDED_ON = {"database.py", "federated_chains.py"}
"""The files in which the record turns the disk's errors into its own, and a hub of clubs hands on
why a batch is refused."""


def test_each_refusal_is_a_template_with_exactly_its_parts() -> None:
    calls = (
        (path, call)
        for path, call in calls_of(SAID)
        if path.name not in HANDED_ON or isinstance(call.args[0], ast.Constant)
    )
    assert no_templates(calls) == []


def test_refusals_are_translated_by_their_english_text() -> None:
    german = speaking(
        {
            "{wrong}: look again": "{wrong}: noch einmal nachsehen",
            "No tile makes the ends {ends}": "Kein Stein ergibt die Enden {ends}",
        }
    )
    refused = RuleError(
        "{wrong}: look again", wrong=RuleError("No tile makes the ends {ends}", ends="1 3")
    )
    assert refused.why == str(refused) == "No tile makes the ends 1 3: look again"
    assert german.translate(refused.why) == "Kein Stein ergibt die Enden 1 3: noch einmal nachsehen"


def test_text_by_people_in_refusals_is_not_translated() -> None:
    assert EntryError("{text} is not a tile", text="{seat}").why == "{seat} is not a tile"


def test_refusals_by_the_record_have_all_their_parts() -> None:
    german = speaking(
        {"Not saved: {reason}": "Nicht gesichert: {reason}", "the disk is full": "Platte voll"}
    )
    failed = StoreError("Not saved: {reason}", reason=Sentence("the disk is full"))
    assert failed.why == str(failed) == "Not saved: the disk is full"
    assert german.translate(failed.why) == "Nicht gesichert: Platte voll"


@pytest.mark.parametrize(
    ("name", "said", "refused_line", "german"),
    [
        ("high-fives", "hand lead Red", "hand", "Diese Runde läuft noch: 10 Züge kommen noch"),
        ("high-five-tiles", "hand lead Red", "Red row pair laid 2", "3 oder 4"),
    ],
)
def test_numbers_in_refusals_are_written_as_in_the_language(
    name: str, said: str, refused_line: str, german: str
) -> None:
    table_of_it = table(name=name).say(said)
    with pytest.raises(RuleError) as refused:
        table_of_it.say(refused_line)
    assert german in language_of("de").translate(refused.value.why)
