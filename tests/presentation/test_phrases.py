"""Sentences of the display: templates with named parts, formatted in one place."""

import ast
import re

from companion.core.words import Sentence, counted, listed, phrase
from companion.presentation.language import ENGLISH
from tests.made_up import speaking
from tests.presentation.templates import HOUSE, calls_of, no_templates, nodes

WORDS = re.compile("[A-Za-z]{2}")
BY_TABLES = {
    *("dates.py", "drawing.py", "high_five_tiles.py", "high_fives.py", "highrise.py"),
    *("player_figures.py", "sayings.py", "svg.py", "words.py"),
}
"""Files that take some templates from their own tables."""
NO_SENTENCES = {
    "set_up.py": "Seat9: a seat's name as the tally has it",
}


def test_each_phrase_is_a_template_with_exactly_its_parts() -> None:
    calls = (
        (path, call)
        for path, call in calls_of({"phrase"})
        if path.name not in BY_TABLES or isinstance(call.args[0], ast.Constant)
    )
    assert no_templates(calls) == []


def test_arguments_that_are_no_templates_are_found() -> None:
    lines = """phrase('{a}', a=1)
phrase(a + b)
phrase('{seat} is out')
phrase('Over', seat=1)
phrase('a', 'b')"""
    calls = [one for one in ast.walk(ast.parse(lines)) if isinstance(one, ast.Call)]
    found = no_templates((HOUSE / "some.py", call) for call in calls)
    assert [line.partition(": ")[0] for line in found] == [f"some.py:{n}" for n in (2, 3, 4, 5)]


def test_screens_do_not_build_sentences_with_f_strings() -> None:
    made = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, node in nodes(ast.JoinedStr, HOUSE / "console")
        if isinstance(node, ast.JoinedStr)
        and path.name not in NO_SENTENCES
        and WORDS.search("".join(str(v.value) for v in node.values if isinstance(v, ast.Constant)))
    ]
    assert made == []


def test_the_english_text_of_a_phrase_is_its_catalogue_key() -> None:
    german = speaking({"{seat} is out": "{seat} ist fertig"})
    said = phrase("{seat} is out", seat="Anna")
    assert said == ENGLISH.translate(said) == "Anna is out"
    assert german.translate(said) == "Anna ist fertig"
    assert german.translate("Anna is out") == "Anna is out"


def test_plurals_have_the_forms_of_the_language() -> None:
    german = speaking({"1 tile": "1 Stein", "{number} tiles": "{number} Steine"})
    said = [counted("1 tile", "{number} tiles", number) for number in range(3)]
    assert said == ["0 tiles", "1 tile", "2 tiles"]
    assert [german.translate(one) for one in said] == ["0 Steine", "1 Stein", "2 Steine"]


def test_parts_of_sentences_are_translated() -> None:
    german = speaking({"{done}; {asked}": "{done}. {asked}", "the deal": "das Geben"})
    said = phrase("{done}; {asked}", done=listed(["Anna", phrase("the deal")]), asked="?")
    assert (said, german.translate(said)) == ("Anna, the deal; ?", "Anna, das Geben. ?")
    told = {"latest": [{"at": 3, "said": said, "why": None}]}
    assert german.translated(told) == {
        "latest": [{"at": 3, "said": german.translate(said), "why": None}]
    }


def test_keys_distinguish_equal_english_texts() -> None:
    german = speaking({("game.over", "Over"): "Vorbei", ("pays.over", "Over"): "Hinüber"})
    said = [Sentence.made("Over", {}, key) for key in ("game.over", "pays.over")]
    assert [german.translate(one) for one in said] == ["Vorbei", "Hinüber"]


def test_text_written_by_people_is_not_translated() -> None:
    assert phrase("{seat} is out", seat="{seat}") == "{seat} is out"
