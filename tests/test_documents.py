"""Names in comments, docstrings and docs/architecture.md exist."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import companion
from tests import layers
from tests.test_layers import LAYERS

HOUSE = Path(companion.__file__).parent
ROOT = HOUSE.parent
ROOMS = [path.name for path in sorted(HOUSE.iterdir()) if (path / "__init__.py").exists()]
FILE = re.compile(r"(?<![\w/.*%<-])(?:[\w.-]+/)*[\w-]+\.(?:py|js)\b")


def _written(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of every docstring and comment of a file."""
    text = path.read_text("utf-8")
    if not FILE.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, str(node.value.value)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _is_found(name: str, beside: Path) -> bool:
    """Whether `name` exists, seen from the folder of the file `beside` or a folder above it, up to
    the repository's."""
    folders = (folder for folder in beside.parents if folder.is_relative_to(ROOT))
    return any((folder / name).exists() for folder in folders)


@pytest.mark.parametrize("room", ROOMS)
def test_files_named_in_docstrings_and_comments_exist(room: str) -> None:
    for path in sorted((HOUSE / room).rglob("*.py")):
        for line, text in _written(path):
            lost = [name for name in FILE.findall(text) if not _is_found(name, path)]
            assert lost == [], f"{path.relative_to(ROOT)}:{line}"


READ_TWICE = re.compile(r"(?:The same|So many|They|It)\b")
"""Beginnings of docstrings that leave the reader asking: the same as what, how many, who?"""


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_begins_with_a_reference_to_another(room: str) -> None:
    for path in sorted((HOUSE / room).rglob("*.py")):
        for line in path.read_text("utf-8").split("\n"):
            _, quotes, said = line.partition('"""')
            assert not (quotes and READ_TWICE.match(said)), f"{path.relative_to(ROOT)}: {line}"


# ---------------------------------------------------------------- docs/architecture.md

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
BLOCK = re.compile(r"\n(?=\n|\| | *- |\d+\. )")
"""The end of a paragraph, of a row of a table or of an item of a list."""
NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)?")
LAYER = re.compile(r"^\| (\d+) \| ([^|]*) \|", re.MULTILINE)
OF_A_NEW_GAME = ("NAME.py", "NAME.md")


def _blocks() -> Iterator[tuple[list[Path], list[str]]]:
    """For each block of the text: the files that it names, and the names that should be defined in
    them."""
    for block in BLOCK.split(ARCHITECTURE):
        if not LAYER.match(block):
            quoted = [one for one in re.findall(r"`([^`]+)`", block) if " " not in one]
            paths = [one for one in quoted if re.search(r"/|\.\w+$", one) and not _is_dotted(one)]
            files = [_place(one) for one in paths if not one.endswith(OF_A_NEW_GAME)]
            files = [one for one in files if not one.is_relative_to(ROOT / "build")]  # made there
            yield files, [one for one in quoted if NAME.fullmatch(one) and one not in paths]


def _is_dotted(word: str) -> bool:
    """Whether a word is a name as in `Store.keep`, and not a file."""
    return bool(NAME.fullmatch(word)) and not word.endswith((".py", ".js"))


def _place(name: str) -> Path:
    """The path of a file that is named from companion/ or from the repository's top."""
    return HOUSE / name if (HOUSE / name).exists() else ROOT / name


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The names that a file defines: `name`, and also `Class.name` for a name inside a class."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return frozenset(re.findall(r"(?:class|function|const) (\w+)", text))
    tree = ast.parse(text)
    found = {*_names_in(tree.body)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = {*_names_in(node.body)}
            found |= names | {f"{node.name}.{name}" for name in names}
    return frozenset(found)


def _names_in(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        targets: list[ast.expr] = [node.target] if isinstance(node, ast.AnnAssign) else []
        targets += node.targets if isinstance(node, ast.Assign) else []
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_files_named_in_the_architecture_exist() -> None:
    named = [path for files, _ in _blocks() for path in files]
    assert len(named) > 80
    assert [str(path) for path in named if not path.exists()] == []


def test_names_in_the_architecture_are_defined_in_the_file_beside_them() -> None:
    given = 0
    for files, names in _blocks():
        defined = {name for path in files if path.is_file() for name in defined_in(path)}
        assert [name for name in names if name not in defined] == [], files
        given += len(names)
    assert given > 60


def test_the_architecture_lists_the_layers_that_are_tested() -> None:
    rows = [
        (int(number), re.findall("`([^`]+)`", packages))
        for number, packages in LAYER.findall(ARCHITECTURE)
    ]
    assert rows == [(number, [*packages]) for number, packages in enumerate(LAYERS, start=1)]


def test_the_drawing_of_the_layers_is_up_to_date() -> None:
    stored = layers.DRAWING.read_text("utf-8")
    assert stored == layers.drawing(), "draw it anew: python -m tests.layers"
    assert "layers.svg" in ARCHITECTURE


def test_commands_in_the_architecture_exist() -> None:
    from companion.commands.cli import main

    for command in set(re.findall(r"`companion (\w+)", ARCHITECTURE)):
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0
