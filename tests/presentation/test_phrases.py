"""The display's sentences: templates with named parts that are formatted in one place."""

import ast
import re

import pytest

from companion.presentation.phrases import phrase
from tests.presentation.templates import HOUSE, assert_template, calls_of, nodes, params

WORDS = re.compile("[A-Za-z]{2}")
BY_TABLES = {"evidence.py", "figure_words.py"}
"""Files that take templates from tables of theirs."""
NO_SENTENCES = {
    "glyphs.py": "a mistake in a file of glyphs: for developers",
    "setup_game.py": "Seat9: a seat's name as the tally has it",
}


@pytest.mark.parametrize(
    "call",
    params((path, call) for path, call in calls_of({"phrase"}) if path.name not in BY_TABLES),
)
def test_a_phrase_is_a_template_with_exactly_its_parts(call: ast.Call) -> None:
    assert_template(call)


def test_screens_put_no_sentence_together_themselves() -> None:
    made = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, node in nodes(ast.JoinedStr, HOUSE / "console")
        if isinstance(node, ast.JoinedStr)
        and path.name not in NO_SENTENCES
        and WORDS.search("".join(str(v.value) for v in node.values if isinstance(v, ast.Constant)))
    ]
    assert made == []


def test_another_language_finds_a_phrase_by_the_english_one() -> None:
    german = {"{seat} is out": "{seat} ist fertig"}
    assert phrase("{seat} is out", seat="Anna") == "Anna is out"
    assert phrase("{seat} is out", german, seat="Anna") == "Anna ist fertig"


def test_what_people_wrote_is_no_template() -> None:
    assert phrase("{seat} is out", seat="{seat}") == "{seat} is out"
