"""Calls that say something by a template, as they stand in the code."""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import companion

HOUSE = Path(companion.__file__).parent


def nodes(
    kind: type[ast.AST], room: Path = HOUSE, words: Collection[str] = ("",)
) -> Iterator[tuple[Path, ast.AST]]:
    """Every such node of the code in that folder, with its file. Files without any of the `words`
    are not looked through, which takes long."""
    for path in sorted(room.rglob("*.py")):
        text = path.read_text("utf-8")
        if not any(word in text for word in words):
            continue
        yield from ((path, node) for node in _nodes(path) if isinstance(node, kind))


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that a file says."""
    return (*ast.walk(ast.parse(path.read_text("utf-8"))),)


def calls_of(names: Collection[str]) -> Iterator[tuple[Path, ast.Call]]:
    """The calls of what is named so; but not those that hand on what another said."""
    for path, node in nodes(ast.Call, words=[f"{name}(" for name in names]):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in names
            and not any(keyword.arg is None for keyword in node.keywords)
        ):
            yield path, node


def params(calls: Iterator[tuple[Path, ast.Call]]) -> list[object]:
    """For a test of each."""
    return [pytest.param(node, id=f"{path.name}:{node.lineno}") for path, node in calls]


def assert_template(call: ast.Call) -> None:
    """It says a template that stands there, with exactly its parts."""
    (template,) = call.args
    assert isinstance(template, ast.Constant)
    assert isinstance(template.value, str), "a sentence that is put together has no translation"
    named = {name for _, name, _, _ in Formatter().parse(template.value) if name is not None}
    assert named == {keyword.arg for keyword in call.keywords}
