"""Imports go to lower layers only, never up and never in a cycle; packages of one layer don't
import each other. `python -m tests.layers` draws them for docs/architecture.md."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import companion
from companion.app.catalog import CATALOG

ROOT = Path(companion.__file__).parent

LAYERS = (
    ("core",),
    ("events", "games"),
    ("record",),
    ("presentation",),
    ("console", "devices.link"),
    ("devices",),
    ("table",),
    ("web", "web.listeners"),
    ("web.export", "web.tv"),
    ("players",),
    ("club.box",),
    ("club.hub",),
    ("app",),
    ("app.check", "app.updates"),
    ("commands",),
    ("card", "__main__"),
)
"""Some packages stand with parts of theirs on several layers."""
GAMES = (
    *("all_fives", "domino", "five_up", "fives_and_threes"),
    *("high_five", "high_five_tiles", "high_fives", "highrise"),
)
"""The packages and modules of `games` that are a game each."""
RULES = (
    ("chips", "tiles"),
    ("house_rules",),
    ("game",),
    ("entries",),
    ("round",),
    ("settlement",),
    ("line",),
    ("bogus",),
    GAMES,
)
"""The layers within `games`: the parts, then the games made of them."""

RULES_LAYER = {part: layer for layer, parts in enumerate(RULES) for part in parts}
LAYER_OF = {package: layer for layer, packages in enumerate(LAYERS) for package in packages}


def modules() -> dict[str, Path]:
    """The path of every module, by its name below `companion`, as in games.game."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(ROOT.rglob("*.py"))
        if path != ROOT / "__init__.py"
    }


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return (*ast.walk(ast.parse(path.read_text())),)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules of ours that a file imports, including imports for types only and inside
    functions."""
    return (*_imports(path),)


def _imports(path: Path) -> Iterator[str]:
    for node in _statements(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion"):
            inside = (node.module or "").removeprefix("companion").removeprefix(".")
            for name in node.names:
                full = f"{inside}.{name.name}".strip(".")
                yield full if full in MODULES else inside
        elif isinstance(node, ast.Import):
            ours = [name.name for name in node.names if name.name.startswith("companion.")]
            yield from (name.removeprefix("companion.") for name in ours)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in `node`, at any depth. To look into expressions takes five times as long."""
    for _, value in ast.iter_fields(node):
        for inside in value if isinstance(value, list) else ():
            if isinstance(inside, ast.stmt):
                yield inside
                yield from _statements(inside)
            elif isinstance(inside, ast.ExceptHandler | ast.match_case):
                yield from _statements(inside)


MODULES = modules()


@cache
def part_of(module: str) -> str:
    """The part of LAYERS to which a module belongs, as in devices.link."""
    package, _, below = module.partition(".")
    part = f"{package}.{below.partition('.')[0]}"
    return part if part in LAYER_OF else package


def test_imports_go_to_lower_layers() -> None:
    upwards = [
        f"{module} must not import {imported}"
        for module, path in MODULES.items()
        for imported in imports(path)
        if (part := part_of(module)) != (other := part_of(imported))
        and LAYER_OF[other] >= LAYER_OF[part]
    ]
    assert upwards == []


def test_packages_and_their_dependencies_are_limited_in_number() -> None:
    packages = {module.partition(".")[0] for module in MODULES} - {"__main__"}
    assert len(packages) == 14
    between = {
        (package, other)
        for module, path in MODULES.items()
        for imported in imports(path)
        if (package := module.partition(".")[0]) != (other := imported.partition(".")[0])
        and package != "__main__"
    }
    assert len(between) <= 60, sorted(between)


def test_parts_of_the_rules_import_lower_parts_only() -> None:
    """Imports for types and within functions count as well."""
    upwards = [
        f"{module} must not import {imported}"
        for module, path in MODULES.items()
        for imported in imports(path)
        if module.startswith("games.") and imported.startswith("games.")
        if (part := module.split(".")[1]) != (other := imported.split(".")[1])
        and RULES_LAYER[other] >= RULES_LAYER[part]
    ]
    assert upwards == []


def test_every_module_has_a_layer() -> None:
    parts = {part_of(module) for module in MODULES}
    assert parts - {"club"} == set(LAYER_OF), "club is an empty package around its two parts"
    rules = {module.split(".")[1] for module in MODULES if module.startswith("games.")}
    assert rules == set(RULES_LAYER)


def test_there_is_no_import_cycle() -> None:
    graph = {module: set(imports(path)) for module, path in MODULES.items()}
    while ends := [module for module, needs in graph.items() if not needs & graph.keys()]:
        for module in ends:
            del graph[module]
    assert not graph, f"these import each other: {', '.join(graph)}"


def test_pure_packages_import_no_hardware_and_no_clock() -> None:
    banned = {
        "time",
        "os",
        "socket",
        "threading",
        "sqlite3",
        "gpiozero",
        "luma",
        "asyncio",
        "random",
    }
    pure = (
        "events",
        "games",
        "presentation",
        "console",
        "core.seats",
        "core.keys",
        "core.errors",
        "devices.gpio.debounce",
    )
    assert all(any(name.startswith(one) for name in MODULES) for one in pure)
    for module, path in MODULES.items():
        if module.startswith(pure):
            names = {
                name.split(".")[0]
                for node in nodes(path)
                for name in (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
            }
            assert not names & banned, f"{module} imports {names & banned}"


SHARED = {
    "games.game": "what a game is, what an entry is, and what it meant",
    "games.entries": "the end of a game; counting and correcting chips",
    "games.house_rules": "house rules",
    "games.chips": "chips, for every game that is paid in them",
}
"""Modules of rules that generic packages may import."""
SHARED_BY_THE_RECORD = {
    "games.game": "what a game is, what an entry is, and what it meant",
    "games.house_rules": "house rules",
}
"""Modules of rules that the record may import. The games are handed to it, so that a program that
only keeps or copies rows loads none of them."""
OWN_SCREENS = (
    "console.line",
    "console.high_fives",
    "console.highrise",
    "console.high_five_tiles",
)
"""Packages of screens for one game."""


GENERIC = ("console", "table", "commands")
"""Packages that are the same for every game: screens, the loop, commands."""
PRESENTING = (
    *("presentation", "players", "web", "events", "devices", "table", "club", "commands"),
    "app.check",
)
"""More packages that are the same for every game: what a moment means, statistics, pages and
transport."""
OWN_PRESENTING = (
    "presentation.line",
    "presentation.high_fives",
    "presentation.highrise",
    "presentation.high_five_tiles",
    "players.counting",
)
"""Packages and modules below those of PRESENTING that belong to games."""
GAMES_OWN = ("bogus", "line", *GAMES)
"""Rules that only some games have; all others are parts of any game."""


STILL_KNOWN = {
    "presentation.corrections": {"games.bogus.calls"},
}
"""Exceptions: what a change does to calls of bogus play is described for any game, even one without
such calls. Entries may be removed from this list, never added."""


def part_of_rules(module: str) -> str:
    """“line” for games.line.hand; empty for a module that isn't below `games`."""
    return module.split(".")[1] if module.startswith("games.") else ""


@pytest.mark.parametrize("package", PRESENTING)
def test_packages_for_all_games_import_no_rules_of_a_single_game(package: str) -> None:
    generic = [
        module
        for module in MODULES
        if f"{module}.".startswith(f"{package}.") and not module.startswith(OWN_PRESENTING)
    ]
    assert len(generic) > 4
    for module in generic:
        known = {*imports(MODULES[module])}
        own = {name for name in known if name.startswith(OWN_PRESENTING)}
        own |= {name for name in known if part_of_rules(name) in GAMES_OWN}
        own -= STILL_KNOWN.get(module, set())
        assert not own, f"{module} knows {own}"


def test_only_the_catalog_imports_several_games() -> None:
    """A module that imports the rules of several games would be a second catalog."""
    for module, path in MODULES.items():
        known = {part_of_rules(name) for name in imports(path)} & {*GAMES}
        several = ("app.catalog", "players.counting")
        assert len(known) < 2 or module in several, f"{module} knows {known}"


def test_only_a_games_own_modules_name_it() -> None:
    """Exceptions: the games themselves, the game of an event that names none, and a module of
    Highrise's own."""
    for module, path in MODULES.items():
        if part_of_rules(module) in GAMES_OWN or module in (
            "events.event",
            "presentation.highrise",
        ):
            continue
        said = {node.value for node in nodes(path) if isinstance(node, ast.Constant)}
        assert not said & CATALOG.keys(), f"{module} names {said & CATALOG.keys()}"


@pytest.mark.parametrize("package", ["presentation", "console"])
def test_packages_of_games_do_not_import_each_other(package: str) -> None:
    """Code that two games share stands beside their folders."""
    folders = {f"{package}.{name}" for name in GAMES_OWN} & MODULES.keys()
    assert len(folders) > 3
    for module, path in MODULES.items():
        own = next((folder for folder in folders if f"{module}.".startswith(f"{folder}.")), None)
        for name in imports(path) if own else ():
            other = ".".join(name.split(".")[:2])
            assert other == own or other not in folders, f"{module} knows {name}"


def test_generic_packages_import_no_game() -> None:
    generic = [
        module
        for module in MODULES
        if module.split(".")[0] in GENERIC and not module.startswith(OWN_SCREENS)
    ]
    assert len(generic) > 30
    for module in generic:
        known = {name for name in imports(MODULES[module]) if name.startswith("games.")}
        assert known <= SHARED.keys(), f"{module} knows {known - SHARED.keys()}"
        names = {node.id for node in nodes(MODULES[module]) if isinstance(node, ast.Name)}
        writes_json = module.split(".")[0] == "commands"
        asked = names & {"hasattr", "getattr", *(() if writes_json else ("Any",))}
        assert not asked, f"{module} uses {asked}: a screen or a play says it of itself"


def test_the_record_imports_no_game() -> None:
    for module in MODULES:
        if module.startswith("record."):
            known = {name for name in imports(MODULES[module]) if name.startswith("games.")}
            assert known <= SHARED_BY_THE_RECORD.keys(), f"{module} knows {known}"


def test_no_code_checks_the_class_of_a_screen() -> None:
    screens = {
        node.name
        for module, path in MODULES.items()
        if module.startswith("console.")
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Subscript) for base in node.bases)
    }
    assert {"Screen", "LineTurn", "OfferUndo"} <= screens
    for module, path in MODULES.items():
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                asked = {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)}
                told = asked & screens - {"Outcome"}
                assert not told, f"{module} asks whether a screen is {told}"


def test_each_class_name_is_used_once() -> None:
    """No two modules have a class or an alias of a type with the same name, so that a reader knows
    everywhere which one is meant."""
    modules_of: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for name in _kinds_named(ast.parse(path.read_text())):
            modules_of.setdefault(name, []).append(module)
    assert {name: where for name, where in modules_of.items() if len(where) > 1} == {}


def _kinds_named(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
    for node in tree.body:
        named: list[ast.expr] = [node.target] if isinstance(node, ast.AnnAssign) else []
        named += node.targets if isinstance(node, ast.Assign) else []
        names = [one.id for one in named if isinstance(one, ast.Name)]
        yield from (name for name in names if name[:1].isupper() and not name.isupper())
