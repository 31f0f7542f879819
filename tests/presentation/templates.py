"""Finds the calls in the code that make a sentence from a template."""

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

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
    """Returns the calls of functions with these names, except those that pass on parts with
    `**`."""
    for path, node in nodes(ast.Call, words=[f"{name}(" for name in names]):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in names
            and not any(keyword.arg is None for keyword in node.keywords)
        ):
            yield path, node


def no_templates(calls: Iterable[tuple[Path, ast.Call]]) -> list[str]:
    """The calls whose argument is no plain template, or whose keywords aren't exactly its parts,
    each with its file and line. Raises ValueError if there are no calls at all."""
    looked_at = [*calls]
    if not looked_at:
        raise ValueError("no call was found")
    return [
        f"{path.relative_to(HOUSE)}:{call.lineno}: {why}"
        for path, call in looked_at
        if (why := _what_is_wrong(call))
    ]


def _what_is_wrong(call: ast.Call) -> str:
    template = call.args[0] if len(call.args) == 1 else None
    if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
        return "a sentence that is put together has no translation"
    named = {name for _, name, _, _ in Formatter().parse(template.value) if name is not None}
    given = {keyword.arg for keyword in call.keywords}
    return f"parts {sorted(named ^ given, key=str)}" if named != given else ""
