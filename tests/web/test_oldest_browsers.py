"""No page uses anything that Chrome 80 and Safari 14 (2020) don't know: old phones and TVs show the
table, too. These lists only find forbidden features; how pages look was checked in Chromium 80."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion import web
from companion.web.past import EVENINGS_FILES

PAGES = Path(web.__file__).parent
FOLDERS = (
    PAGES / "static",
    PAGES / "static" / "photo",
    EVENINGS_FILES,
    PAGES.parent / "club" / "hub" / "static",
)
OTHERS = "no_sleep.js"
"""NoSleep.js, which decides by itself what a browser knows; loaded only without a wake lock."""
SCRIPTS, SHEETS = (
    sorted(one for folder in FOLDERS for one in folder.glob(f"*.{kind}") if one.name != OTHERS)
    for kind in ("js", "css")
)

IN_SCRIPTS: Final = {
    r"\.replaceChildren\(": "Chrome 86",
    r"\.replaceAll\(|\bPromise\.any\(": "Chrome 85",
    r"\?\?=|\|\|=|&&=": "Chrome 85, Safari 14",
    r"\bWeakRef\b|\bFinalizationRegistry\b": "Chrome 84, Safari 14.1",
    r"\.submitter\b": "Chrome 81, Safari 15.4",
    r"\.requestSubmit\(": "Safari 16",
    r"\.at\(|\.findLast(Index)?\(|\bObject\.hasOwn\(": "Chrome 92, Safari 15.4",
    r"\.(toSorted|toReversed|toSpliced|with)\(|\b(Object|Map)\.groupBy\(": "Chrome 110, Safari 16",
    r"\bstructuredClone\(": "Chrome 98, Safari 15.4",
    r"\brandomUUID\(": "Chrome 92, Safari 15.4; never without TLS",
    r"\bBroadcastChannel\b|\.showModal\(|\.inert\b": "Safari 15.4",
    r"\bAbortSignal\.(timeout|any)\(|\.checkVisibility\(": "Chrome 103, Safari 16",
    r"\(\?<[=!]": "Safari 16.4",
    r"^\s*(static )?#\w+|\bthis\.#|\bstatic \{": "Safari 14.1 (private), 16.4 (static blocks)",
    r"^class .*\{\s+(static )?\w+ = |^  static \w+ =": "Safari 14.1 (fields of classes)",
    r"^(const .*= )?await\b": "Chrome 89, Safari 15",
    r"\bscheduler\.|\brequestIdleCallback\(|\bIntl\.(Segmenter|ListFormat)\b": "no Safari 14",
    r"\.wakeLock\b(?!\?\.)|\.share\b|\bnavigator\.clipboard\b": "not without TLS",
}
"""Forbidden patterns for scripts, with the browser versions that introduced each feature."""

IN_SHEETS: Final = {
    r"(?<![-\w])inset\s*:": "Chrome 87, Safari 14.1",
    r":(is|where)\(": "Chrome 88",
    r"(?<![-\w])aspect-ratio\s*:": "Chrome 88, Safari 15",
    r"(?<!-webkit-appearance: none; )(?<![-\w])appearance\s*:": "Chrome 84, Safari 15.4",
    r"(?<!overflow-wrap: break-word; )overflow-wrap\s*:\s*anywhere": "Safari 15.4",
    r"text-decoration\s*:\s*\w+ \w+": "no Safari",
    r"color-mix\(|\boklch\(|\blab\(|light-dark\(": "Chrome 111, Safari 15",
    r"@(layer|container|property|scope|starting-style)\b": "Chrome 85, Safari 15.4",
    r"^\s*&": "Chrome 112, Safari 16.5 (nesting)",
    r"@media[^{]*(<|>)": "Chrome 104, Safari 16.4 (ranges)",
    r"(?<![-\w])(translate|rotate|scale)\s*:": "Chrome 104, Safari 14.1",
    r"\bsubgrid\b|(?<![-\w])content-visibility\s*:": "Chrome 85, Safari 16",
    r":not\([^()]*,": "Chrome 88",
    r"(?<!vh; min-height: )\b\d+[dsl]v[hw]\b": "Chrome 108, Safari 15.4",
}
"""Forbidden patterns for style sheets. Some are allowed after a form that all browsers know."""


def words_of(path: Path) -> str:
    """The file's text without comments; in a style sheet, the declarations of a rule are on one
    line."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
    if path.suffix == ".js":
        return re.sub(r"(^|\s)//.*", "", text)
    return re.sub(r";\s*\n\s+", "; ", text)


def too_new(text: str, forbidden: dict[str, str]) -> list[str]:
    """The forbidden features in the text, with the versions that introduced them."""
    found = ((re.search(one, text, re.M), since) for one, since in forbidden.items())
    return [f"{hit.group().strip()}: {since}" for hit, since in found if hit]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_use_nothing_too_new(path: Path) -> None:
    assert too_new(words_of(path), IN_SCRIPTS) == []


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_style_sheets_use_nothing_too_new(path: Path) -> None:
    assert too_new(words_of(path).partition(OLDER)[0], IN_SHEETS) == []


# ---------------------------------------------------------------- gaps in flexible boxes

OLDER = "@supports not (inset: 0)"
"""Starts the rules for browsers that ignore gaps in flexible boxes (before Chrome 84, Safari 14.1).
"""
RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")


def rules(text: str) -> Iterator[tuple[str, str]]:
    """Each selector with its declarations."""
    for selectors, declared in RULE.findall(text):
        yield from ((selector.strip(), declared) for selector in selectors.split(","))


def without_gaps(text: str) -> list[str]:
    """The flexible boxes whose gaps older browsers would ignore, and which have no rule for those
    browsers."""
    newer, _, older = words_of_text(text).partition(OLDER)
    instead = {selector.split(" > ")[0] for selector, _ in rules(older)}
    flexible = {
        selector
        for selector, declared in rules(newer)
        if re.search(r":\s*(inline-)?flex\b", declared)
    }
    gaps = [selector for selector, declared in rules(newer) if re.search(r"(?<!-)gap:", declared)]
    return [one for one in gaps if one in flexible and one.split(":")[0] not in instead]


def words_of_text(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_flexible_boxes_have_gaps_in_every_browser(path: Path) -> None:
    assert without_gaps(path.read_text("utf-8")) == []


# ---------------------------------------------------------------- that they can fail


@pytest.mark.parametrize(
    "line",
    [
        "list.replaceChildren();",
        "const deed = event.submitter?.value;",
        "const last = rows.at(-1);",
        "this.seat ??= null;",
        "  #mine = 3;",
        "class Shown {\n  many = 3;",
        "text.match(/(?<=a)b/);",
    ],
)
def test_too_new_features_of_scripts_are_found(line: str) -> None:
    assert too_new(line, IN_SCRIPTS) != []


@pytest.mark.parametrize(
    "line",
    [
        ".window::after { inset: 0; }",
        "thead :is(th, td) { color: red; }",
        "p { overflow-wrap: anywhere; }",
        "input { appearance: none; }",
        "body { min-height: 100dvh; }",
        "a { text-decoration: underline dotted; }",
    ],
)
def test_too_new_features_of_style_sheets_are_found(line: str) -> None:
    assert too_new(line, IN_SHEETS) != []


def test_a_gap_without_a_fallback_is_found() -> None:
    gaps = ".row { display: flex; gap: 1rem; }\n.grid { display: grid; gap: 1rem; }\n"
    assert without_gaps(gaps) == [".row"]
    assert without_gaps(f"{gaps}{OLDER} {{ .row > * + * {{ margin-left: 1rem; }} }}") == []


def test_every_folder_has_scripts_or_style_sheets() -> None:
    """Folders that have moved would be passed over silently."""
    assert all({*SCRIPTS, *SHEETS} & {*folder.iterdir()} for folder in FOLDERS)
