"""The figures of `python -m tests.size` count what their names say."""

import ast

from tests.size import code_lines, committed, figures, forwards, functions, table

ONE = '''"""A module."""

from companion.two import add


def _twice(number):
    """Twice a number."""
    # by adding
    return number + number


def forwarded(left, right):
    return add(left, right)


print(_twice(2))
'''
TWO = "def add(left, right):\n    return left + right\n"
SOURCES = {"companion/one.py": ONE, "companion/two.py": TWO, "companion/x.js": "// x\nlet x;\n"}


def test_code_excludes_blank_lines_comments_and_docstrings() -> None:
    assert sorted(code_lines(ONE)) == [3, 6, 9, 12, 13, 16]


def test_a_function_that_only_passes_its_parameters_is_a_forwarder() -> None:
    found = {one.name: forwards(one) for one in functions(ast.parse(ONE))}
    assert found == {"_twice": False, "forwarded": True}


def test_the_figures_of_an_example_are_correct() -> None:
    found = figures(SOURCES)
    assert (found["files"], found["code lines"], found["code lines of JavaScript"]) == (2, 8, 1)
    assert found["imports from module to module"] == 1
    assert found["modules with a single importer"] == 1
    assert found["functions that only forward"] == 1
    assert found["private functions used once, %"] == 100
    assert found["import lines ÷ code lines"] == 1 / 8
    assert "| files | 2 | – | 340 | 84 | 8 | 25 |" in table(found, {})


def test_without_a_parent_commit_nothing_is_compared() -> None:
    assert committed("no-such-commit") == {}
