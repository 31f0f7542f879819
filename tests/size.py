"""Prints how large the program is and how it is cut, beside the parent commit and the goals of its
layout: `python -m tests.size`. It never fails.

Code lines are those without blanks, comments and docstrings. The figures are those of the working
tree and of its parent commit, if there is one.
"""

import ast
import io
import subprocess
import sys
import tarfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from statistics import mean, median

ROOT = Path(__file__).parent.parent
GOALS = {
    "files": "340",
    "code lines": "68,000 with systemd, hw and firmware",
    "median code lines of a file": "170",
    "code lines of JavaScript": "7,200",
    "import lines ÷ code lines": ".07",
}
"""What the layout is moving to; figures without a goal are for comparison alone."""
MEASURED = {
    "files": ("84", "8", "25"),
    "code lines": ("10,700", "10,300", "7,900"),
    "median code lines of a file": ("155", "1,973", "544"),
    "private functions used once, %": ("46", "24", "26"),
    "import lines ÷ code lines": (".069", ".010", ".050"),
}
"""The same of beancount, python-chess and gpiozero, for comparison: none of them is a goal."""
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
Sources = dict[str, str]
"""The text of each file, by its path from the repository on."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def working_tree() -> Sources:
    """The sources of `companion` as they are."""
    paths = [*(ROOT / "companion").rglob("*.py"), *(ROOT / "companion").rglob("*.js")]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(paths)}


def committed(commit: str) -> Sources:
    """The sources of `companion` at a commit; empty if there is no such commit, or no git."""
    command = ["git", "-c", f"safe.directory={ROOT}", "archive", commit, "companion"]
    try:
        packed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return {
            one.name: file.read().decode()
            for one in archive
            if one.name.endswith((".py", ".js")) and (file := archive.extractfile(one))
        }


def code_lines(text: str) -> set[int]:
    """The numbers of the lines with code."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return lines


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions and methods."""
    yield from (one for one in ast.walk(tree) if isinstance(one, Function))


def forwards(function: Function) -> bool:
    """Whether a function only calls another one with its own parameters."""
    body = [one for one in function.body if not _is_docstring(one)]
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr):
        return False
    call = body[0].value.value if isinstance(body[0].value, ast.Await) else body[0].value
    if not isinstance(call, ast.Call):
        return False
    given = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)} - {"self", "cls"}
    passed = [*call.args, *(one.value for one in call.keywords)]
    return bool(given) and {one.id if isinstance(one, ast.Name) else "" for one in passed} == given


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def imported(tree: ast.AST, modules: set[str]) -> set[str]:
    """The modules of ours that a file imports, anywhere in it."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                full = f"{node.module}.{name.name}"
                found.add(full if full in modules else node.module)
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return found & modules


def figures(sources: Sources) -> dict[str, float]:
    """Each figure of these sources, by its name."""
    trees = {path: ast.parse(text) for path, text in sources.items() if path.endswith(".py")}
    lines = {path: len(code_lines(sources[path])) for path in trees}
    modules = {".".join(PurePosixPath(path).with_suffix("").parts): path for path in trees}
    edges = [(path, one) for path, tree in trees.items() for one in imported(tree, set(modules))]
    importers = Counter(one for _, one in edges)
    found = [one for tree in trees.values() for one in functions(tree)]
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    once = private = 0
    for tree in trees.values():
        uses = Counter(one.id for one in ast.walk(tree) if isinstance(one, ast.Name))
        uses += Counter(one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute))
        own = [one.name for one in functions(tree) if one.name[0] == "_" and one.name[:2] != "__"]
        private += len(own)
        once += sum(uses[name] == 1 for name in own)
    code = sum(lines.values())
    script = [text for path, text in sources.items() if path.endswith(".js")]
    real = [number for number in lines.values() if number]
    return {
        "files": len(trees),
        "code lines": code,
        "median code lines of a file": median(real) if real else 0,
        "files under 60 code lines": sum(number < 60 for number in real),
        "imports from module to module": len(edges),
        "modules with a single importer": sum(number == 1 for number in importers.values()),
        "functions that only forward": sum(map(forwards, found)),
        "private functions used once, %": 100 * once / max(private, 1),
        "mean lines of a function": mean(
            (one.end_lineno or one.lineno) - one.lineno + 1 for one in found
        ),
        "import lines ÷ code lines": imports / max(code, 1),
        "files of JavaScript": len(script),
        "code lines of JavaScript": sum(
            bool(line.strip()) and not line.lstrip().startswith(("//", "/*", "*"))
            for text in script
            for line in text.splitlines()
        ),
    }


def table(now: dict[str, float], before: dict[str, float]) -> str:
    """The figures as a table in Markdown; `before` may be empty."""
    lines = [
        "| companion | now | parent commit | goal | beancount | python-chess | gpiozero |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, figure in now.items():
        was = _written(before[name]) if name in before else "–"
        beside = " | ".join(MEASURED.get(name, ("", "", "")))
        goal = GOALS.get(name, "")
        lines.append(f"| {name} | {_written(figure)} | {was} | {goal} | {beside} |")
    return "\n".join(lines)


def _written(figure: float) -> str:
    if figure == int(figure):
        return f"{int(figure):,}"
    return f"{figure:.3f}".lstrip("0") if figure < 1 else f"{figure:.1f}"


if __name__ == "__main__":
    parent = committed(sys.argv[1] if len(sys.argv) > 1 else "HEAD~1")
    print(table(figures(working_tree()), figures(parent) if parent else {}))
