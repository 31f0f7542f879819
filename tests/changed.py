"""The tests that a change can affect, which `make test CHANGED=1` runs.

    python -m tests.changed            the arguments for pytest: test files, or all of them
    python -m tests.changed --rigs     the rigs
    python -m tests.changed --check    tests that failed in the last run and were not chosen

A change is the difference from the commit at which this branch left `main` (BASE=COMMIT names
another one), or from the last commit if there is nothing else; files that are not committed yet
count, too. In CI, which may have nothing but `main`, it is the difference from the last complete
green run named in docs/tried.md, because several commits may land together.

A test file is chosen if it changed, or if it imports a changed module, however far away. Imports
within functions count, and so does a module that is named as text: a program that is started, an
attribute that is patched. The table OWNERS has the files that are not imported. A changed file that
is neither imported nor in the table selects all tests. If only a module's comments and docstrings
changed, only the tests that read sources are chosen.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
SOURCES = ("companion", "tests", "hw", "firmware", "systemd")
"""The folders with modules of ours."""
PATHS = ("firmware/", "systemd/", "tests/firmware/stubs/")
"""Folders from which modules are imported by their bare names (pyproject.toml)."""
TAPES = "tests/tape/played"
"""Recorded evenings, which are tests without a module: tests/tape/conftest.py collects them."""
FEW = 40
"""As many files are run with all their cases, and more of them if no module of the program has
changed, but a page's script, say; all others with the share of `make test`."""
ALL = ("tests",)

SCANNERS = (
    *("tests/test_layers.py", "tests/test_documents.py", "tests/test_words.py"),
    *("tests/test_catalogues.py", "tests/presentation/test_phrases.py", "tests/test_suite.py"),
    *("tests/presentation/test_refusals.py", "tests/test_rigs.py", "tests/test_authors.py"),
)
"""Tests that read sources."""
PAGES = (
    "tests/web/*",
    "tests/club/hub/*page*",
    "tests/club/hub/test_smoke.py",
    "tests/club/hub/test_opened_tables.py",
)
OWNERS: dict[str, Iterable[str]] = {
    "*.py": SCANNERS,
    "*/locale/*.po": (
        *("tests/test_catalogues.py", "tests/test_words.py", "tests/screens/*", "tests/manual/*"),
        *("tests/presentation/*", "tests/web/*languages*", "tests/web/test_words.py"),
    ),
    "companion/web/static/*": (*PAGES, "tests/photos/*", "tests/players/*"),
    "companion/club/hub/static/*": ("tests/club/hub/*",),
    "companion/web/export/*": ("tests/web/export/*",),
    "companion/web/*": PAGES,
    "hw/boards/*": ("tests/devices/*", "tests/hw/*", "tests/app/check/*", "tests/app/*"),
    "companion/presentation/*": ("tests/presentation/*", "tests/web/*"),
    "companion/console/*": ("tests/console/*", "tests/screens/*"),
    "docs/manual/*": ("tests/manual/*", "tests/test_documents.py"),
    "docs/*.schema.json": ("tests/web/*", "tests/club/hub/*", "tests/commands/*"),
    "docs/*": ("tests/test_*.py", "tests/manual/*", "tests/club/hub/test_proxy.py", "tests/hw/*"),
    "*.md": ("tests/test_*.py", "tests/manual/*", "tests/hw/*", "tests/image/*"),
    "LICENSE": ("tests/test_package.py", "tests/hw/*"),
    "hw/*": ("tests/hw/*", "tests/release/*"),
    "firmware/*": ("tests/firmware/*", "tests/devices/*"),
    "systemd/image/*": ("tests/image/*", "tests/card/*", "tests/release/*", "tests/app/updates/*"),
    "systemd/*": ("tests/test_deb.py", "tests/test_package.py", "tests/app/*", "tests/image/*"),
    "MANIFEST.in": ("tests/test_package.py", "tests/test_deb.py"),
    ".ci/run": ("tests/test_rigs.py", "tests/test_suite.py"),
    ".gitignore": (),
    ".editorconfig": (),
    ".pre-commit-config.yaml": (),
    ".github/*": (),
}
"""The tests of files that are not imported. The first pattern that fits counts, but for modules, of
which all do."""

RIGS: dict[str, Iterable[str]] = {
    # What no rig runs: the search for a game, a page's entry as a row, and forgetting a name.
    "companion/record/match.py": (),
    "companion/record/requests.py": (),
    "companion/record/people/forget.py": (),
    # What is on the disk doesn't depend on these, but damaged records are read with them, too.
    "companion/record/tally.py": ("damage",),
    "companion/record/names.py": ("damage",),
    "companion/record/settings.py": ("damage",),
    "companion/record/people/*": ("damage",),
    "companion/record/copies/restore.py": ("stick",),
    "companion/record/copies/*": ("cut", "cut_worse", "damage", "stick"),
    "companion/record/*": ("cut", "cut_worse", "damage"),
    # No rig has a loudspeaker; a real framebuffer has kiosk alone, which is run by its name.
    "companion/devices/voice.py": (),
    "companion/devices/display/framebuffer.py": ("kernel_phones",),
    "companion/devices/display/virtual.py": ("service",),
    "companion/devices/display/*": ("kernel", "kernel_phones", "kernel_service"),
    "companion/devices/gpio/*": ("kernel", "kernel_phones", "kernel_service"),
    "companion/devices/pads/*": ("kernel_pads",),
    "companion/devices/keypads/renewal.py": ("pico_renewal",),
    "companion/devices/keypads/*": ("kernel_pads", "pico*", "micropython"),
    "companion/devices/link/*": ("kernel_pads", "pico*", "micropython"),
    "companion/devices/*": ("kernel*", "pico*", "micropython", "stick"),
    "firmware/*": ("pico*", "micropython"),
    "hw/boards/*": ("kernel*",),
    "systemd/build_backend.py": ("install",),
    "systemd/release/*": ("install",),
    "systemd/*": ("service", "kernel_service", "hub", "stick", "install"),
    "companion/app/updates/*": ("service",),
    "companion/card/*": ("service",),
    "companion/web/tv/*": ("service",),
    "companion/club/*": ("hub*", "club_evening"),
    "hw/*": ("board", "case"),
    "pyproject.toml": ("service", "hub", "suite", "install"),
    "MANIFEST.in": ("service", "hub", "install"),
    "tests/rigs/cut_*.py": ("cut", "cut_worse"),
    "tests/rigs/kernel/*": ("kernel*", "stick"),
    "tests/rigs/pico/*": ("pico*",),
    "tests/rigs/micropython/*": ("micropython", "pico*"),
    "tests/rigs/*.py": (),
    "tests/rigs/*": ("*",),
    "companion/*": (),
    "tests/*": (),
    "docs/*": (),
    "*.md": (),
    ".editorconfig": (),
    ".pre-commit-config.yaml": (),
    ".github/*": (),
}
"""The rigs of what can affect them, without “rig_”; the first pattern that fits counts. Modules in
tests/rigs itself concern the rigs that import them; a file in no line means all of them."""
BY_NAME_ALONE = (
    *("browsers", "card", "card_fresh", "card_previous", "kiosk", "networks", "own_wifi"),
    *("proxies", "update"),
)


def git(*words: str) -> str:
    """The output of git; empty if it fails."""
    command = ["git", "-c", f"safe.directory={ROOT}", *words]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def base() -> str:
    """The commit that a change is compared with; empty if there is none."""
    if named := os.environ.get("BASE"):
        return named
    head = git("rev-parse", "HEAD").strip()
    for main in ("origin/main", "main"):
        if (left := git("merge-base", main, "HEAD").strip()) and left != head:
            return left
    if os.environ.get("CI"):
        return last_green((ROOT / "docs/tried.md").read_text("utf-8"))
    return head if git("status", "--porcelain") else git("rev-parse", "HEAD~1").strip()


def last_green(text: str) -> str:
    """The commit of the last whole green run, as docs/tried.md names it; empty if it names none, or
    one that isn't here."""
    named = re.search(r"Last whole green run: commit ([0-9a-f]{7,40})\b", text)
    return git("rev-parse", "--verify", f"{named[1]}^{{commit}}").strip() if named else ""


def reworded_of(changed: Iterable[str] | None) -> set[str]:
    """The changed modules whose only differences from the base are in comments and docstrings."""
    since, found = base(), set[str]()
    for path in changed or ():
        if path.endswith(".py") and (ROOT / path).exists():
            now, before = (ROOT / path).read_text("utf-8"), git("show", f"{since}:{path}")
            if (
                now != before
                and before
                and "__doc__" not in now
                and code_of(before) == code_of(now)
            ):
                found.add(path)
    return found


def code_of(text: str) -> str:
    """A module's code without comments, docstrings and positions."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Expr) and text_of(child.value):
                child.value = ast.Constant("")
    return ast.dump(tree)


def changes() -> list[str] | None:
    """The files that differ; None if nothing is known to compare with."""
    if not (since := base()):
        return None
    differ = git("diff", "--name-only", "--no-renames", since)
    return [*differ.splitlines(), *git("ls-files", "--others", "--exclude-standard").splitlines()]


@cache
def modules() -> dict[str, str]:
    """The path of each module of ours, by each name that it is imported by."""
    found = dict[str, str]()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            here = str(path.relative_to(ROOT))
            for start in ("", *PATHS):
                if here.startswith(start):
                    bare = PurePosixPath(here.removeprefix(start)).with_suffix("")
                    found.setdefault(".".join(bare.parts).removesuffix(".__init__"), here)
    return found


def text_of(node: ast.AST) -> str:
    """The value of a node that is a text; otherwise empty."""
    constant = node.value if isinstance(node, ast.Constant) else None
    return constant if isinstance(constant, str) else ""


def run_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a syntax tree except imports for type checking, which don't run."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def names_in(tree: ast.AST) -> set[str]:
    """All names of modules, and of what is in modules, that a file imports or names as text."""
    found = set[str]()
    for node in run_nodes(tree):
        if isinstance(node, ast.Import):
            found.update(one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.List | ast.Tuple | ast.Call):
            words = node.args if isinstance(node, ast.Call) else node.elts
            for before, word in pairwise(map(text_of, words)):
                if (before, word) == ("-m", "companion"):
                    found.add("companion.__main__")
        elif (named := text_of(node)).startswith(("companion.", "tests.")):
            found.add(named)
    return found


@cache
def imports() -> dict[str, set[str]]:
    """The paths of the modules that each of our modules imports; importing one within a package
    imports the package. Test files depend on the conftest.py of their folders."""
    known, graph = modules(), dict[str, set[str]]()
    for path in set(known.values()):
        found = set[str]()
        for name in names_in(ast.parse((ROOT / path).read_text("utf-8"))):
            parts = name.split(".")
            starts = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
            found.update(known[start] for start in starts if start in known)
        folders = PurePosixPath(path).parents
        if path.startswith("tests/"):
            near = (f"{folder}/conftest.py" for folder in folders)
            found.update(one for one in near if one in known.values())
        graph[path] = found - {path}
    graph[TAPES] = {"tests/tape/conftest.py"}
    return graph


def all_test_files() -> list[str]:
    """All test files."""
    named = (path for path in imports() if PurePosixPath(path).name.startswith("test_"))
    return sorted({*named, TAPES})


def users_of(changed: set[str]) -> set[str]:
    """These modules and all that import one of them, directly or indirectly."""
    users = dict[str, set[str]]()
    for path, found in imports().items():
        for one in found:
            users.setdefault(one, set()).add(path)
    reached, left = set(changed), list(changed)
    while left:
        for user in users.get(left.pop(), set()) - reached:
            reached.add(user)
            left.append(user)
    return reached


def chosen(changed: Iterable[str] | None, reworded: Collection[str] = ()) -> list[str] | None:
    """The test files that a change of these files can affect; None: all of them. `reworded`: the
    changed files whose code is unchanged."""
    if changed is None:
        return None
    known, picked, through = all_test_files(), set[str](), set[str]()
    for path in changed:
        patterns = [one for one in OWNERS if fnmatch(path, one)]
        if path.endswith(".py"):
            if path in reworded:
                pass
            elif path in imports():
                through.add(path)
            elif (ROOT / path).exists():
                return None
            picked.update(SCANNERS)
        elif path.startswith(f"{TAPES}/"):
            picked.add(TAPES)
        elif path.startswith("tests/"):
            folder = f"{PurePosixPath(path).parent}/"
            users = {one for one in imports() if one.startswith(folder)}
            if not users:
                return None
            through.update(users)
        elif not patterns:
            return None
        else:
            picked.update(t for t in known for one in OWNERS[patterns[0]] if fnmatch(t, one))
    return sorted((picked | users_of(through)) & set(known))


def rigs(changed: Iterable[str] | None) -> list[str]:
    """The rigs, as paths, that a change of these files can affect."""
    every = sorted(
        path.stem.removeprefix("rig_") for path in (ROOT / "tests/rigs").glob("rig_*.py")
    )
    fit = [name for name in every if name not in BY_NAME_ALONE]
    if changed is None:
        return ["tests/rigs"]
    found, modules_of_rigs = set[str](), set[str]()
    for path in changed:
        pattern = next((one for one in RIGS if fnmatch(path, one)), None)
        if pattern is None:
            return ["tests/rigs"]
        if pattern == "tests/rigs/*.py":
            modules_of_rigs.add(path)
        found.update(name for name in fit for one in RIGS[pattern] if fnmatch(name, one))
    users = users_of(modules_of_rigs)
    return [one for name in fit if (one := f"tests/rigs/rig_{name}.py") in users or name in found]


def missed() -> list[str]:
    """The tests that failed in the last run although they are not chosen."""
    kept = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
    changed = changes()
    found = chosen(changed, reworded_of(changed))
    if found is None or not kept.exists():
        return []
    failed = json.loads(kept.read_text("utf-8"))
    return [one for one in failed if not one.startswith(tuple(found))]


def arguments(changed: list[str] | None, reworded: Collection[str] = ()) -> list[str]:
    """The arguments for pytest after a change of these files; none if no test is affected.
    `reworded`: those whose code is unchanged."""
    found = chosen(changed, reworded)
    if found is None:
        return ["--sample", *ALL]
    program = [one for one in changed or () if one.endswith(".py") and one[:6] != "tests/"]
    return ["--sample", *found] if program and len(found) > FEW else found


def main(words: list[str]) -> None:
    """Prints the selected tests."""
    if words == ["--check"]:
        for one in missed():
            print(f"A bug in tests/changed.py: the change made {one} fail, which was not chosen.")
        return
    changed = changes()
    reworded = reworded_of(changed)
    if words == ["--rigs"]:
        print(*rigs(changed and {*changed} - reworded))
        return
    print(*arguments(changed, reworded))


if __name__ == "__main__":
    main(sys.argv[1:])
