"""The calls in the code that say something by a template."""

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
    """Every node of this kind in the code of a folder, with its file. Only files with one of the
    `words` are parsed, as that takes long."""
    for path in sorted(room.rglob("*.py")):
        text = path.read_text("utf-8")
        if not any(word in text for word in words):
            continue
        yield from ((path, node) for node in _nodes(path) if isinstance(node, kind))


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return (*ast.walk(ast.parse(path.read_text("utf-8"))),)


def calls_of(names: Collection[str]) -> Iterator[tuple[Path, ast.Call]]:
    """The calls of functions with these names, without those that pass parts on by `**`."""
    for path, node in nodes(ast.Call, words=[f"{name}(" for name in names]):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in names
            and not any(keyword.arg is None for keyword in node.keywords)
        ):
            yield path, node


def params(calls: Iterator[tuple[Path, ast.Call]]) -> list[object]:
    """The calls as parameters of a test, each named by its file and line."""
    return [pytest.param(node, id=f"{path.name}:{node.lineno}") for path, node in calls]


def assert_template(call: ast.Call) -> None:
    """Fails unless the call's argument is a plain template, and its keywords are exactly the
    template's parts."""
    (template,) = call.args
    assert isinstance(template, ast.Constant)
    assert isinstance(template.value, str), "a sentence that is put together has no translation"
    named = {name for _, name, _, _ in Formatter().parse(template.value) if name is not None}
    assert named == {keyword.arg for keyword in call.keywords}
