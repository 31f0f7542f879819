"""The display's sentences: templates with named parts that are formatted in one place."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion.telling.phrases import phrase

HOUSE = Path(companion.__file__).parent
WORDS = re.compile("[A-Za-z]{2}")
NO_SENTENCES = {
    "glyphs.py": "a mistake in a file of glyphs: for developers",
    "setup_game.py": "Seat9: a seat's name as the tally has it",
}


def _nodes(kind: type[ast.AST], room: Path) -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, kind):
                yield path, node


PHRASES = [
    pytest.param(node, id=f"{path.name}:{node.lineno}")
    for path, node in _nodes(ast.Call, HOUSE)
    if isinstance(node, ast.Call)
    and isinstance(node.func, ast.Name)
    and node.func.id == "phrase"
    and path.parent.name != "telling"
]


@pytest.mark.parametrize("call", PHRASES)
def test_a_phrase_is_a_template_with_exactly_its_parts(call: ast.Call) -> None:
    (template,) = call.args
    assert isinstance(template, ast.Constant)
    assert isinstance(template.value, str), "a sentence that is put together has no translation"
    named = {name for _, name, _, _ in Formatter().parse(template.value) if name is not None}
    assert named == {keyword.arg for keyword in call.keywords}


def test_screens_put_no_sentence_together_themselves() -> None:
    made = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path, node in _nodes(ast.JoinedStr, HOUSE / "console")
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
