"""Refusals: templates whose parts have names, worded in one place."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion.errors import EntryError, RuleError
from companion.telling.refusals import worded

RAISED = [
    (path, node)
    for path in sorted(Path(companion.__file__).parent.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.Call)
    and isinstance(node.func, ast.Name)
    and node.func.id in {"EntryError", "RuleError"}
    and not any(keyword.arg is None for keyword in node.keywords)  # one made of another
]


@pytest.mark.parametrize(
    "call", [pytest.param(node, id=f"{path.name}:{node.lineno}") for path, node in RAISED]
)
def test_a_refusal_is_a_template_with_exactly_its_parts(call: ast.Call) -> None:
    (template,) = call.args
    assert isinstance(template, ast.Constant)
    assert isinstance(template.value, str), "a sentence that is put together has no translation"
    named = {name for _, name, _, _ in Formatter().parse(template.value) if name is not None}
    assert named == {keyword.arg for keyword in call.keywords}


def test_another_language_finds_its_sentence_by_the_english_one() -> None:
    german = {
        "{wrong}: look again": "{wrong}: noch einmal nachsehen",
        "No tile makes the ends {ends}": "Kein Stein ergibt die Enden {ends}",
    }
    refused = RuleError(
        "{wrong}: look again", wrong=RuleError("No tile makes the ends {ends}", ends="1 3")
    )
    assert worded(refused) == str(refused) == "No tile makes the ends 1 3: look again"
    assert worded(refused, german) == "Kein Stein ergibt die Enden 1 3: noch einmal nachsehen"


def test_what_people_wrote_is_never_a_template() -> None:
    assert worded(EntryError("{text} is not a tile", text="{seat}")) == "{seat} is not a tile"
