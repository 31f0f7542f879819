"""The tests that a change can affect are found by imports, and by a table for files that are not
imported."""

from fnmatch import fnmatch
from pathlib import PurePosixPath

import pytest

from tests.changed import (
    OWNERS,
    RIGS,
    ROOT,
    TAPES,
    all_test_files,
    arguments,
    chosen,
    code_of,
    git,
    imports,
    last_green,
    modules,
    rigs,
)


def test_all_direct_and_indirect_importers_are_chosen() -> None:
    found = chosen(["companion/games/chips.py"])
    assert found is not None
    assert {"tests/games/test_chips.py", "tests/console/test_menu.py", TAPES} <= set(found)
    assert "tests/core/test_threads.py" not in found


def test_imports_within_functions_and_names_in_text_count() -> None:
    found = imports()
    assert "companion/club/box/push.py" in found["tests/club/hub/test_several.py"]
    assert "companion/__main__.py" in found["tests/starting.py"]
    assert "companion/devices/voice.py" in found["tests/devices/test_voice.py"]


def test_a_changed_test_and_its_importers_are_chosen() -> None:
    found = chosen(["tests/web/test_table_page.py"])
    assert found is not None
    assert {"tests/web/test_table_page.py", "tests/web/test_smoke.py"} <= set(found)
    assert "tests/games/test_chips.py" not in found


def test_a_conftest_concerns_all_tests_of_its_folder() -> None:
    found = chosen(["tests/club/hub/conftest.py"])
    assert found is not None
    assert "tests/club/hub/test_store.py" in found
    assert "tests/games/test_chips.py" not in found
    assert chosen(["tests/conftest.py"]) == all_test_files()


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("companion/web/static/table.js", "tests/web/test_smoke.py"),
        ("companion/presentation/locale/de/LC_MESSAGES/companion.po", "tests/test_catalogues.py"),
        ("companion/boards/keys-16.toml", "tests/devices/test_keypad.py"),
        ("docs/manual/high-five.md", "tests/manual/test_complete.py"),
        ("docs/architecture.md", "tests/test_documents.py"),
        ("systemd/companion.service", "tests/app/test_systemd.py"),
        ("tests/tape/played/race.tape", TAPES),
        ("tests/games/golden/x.json", "tests/games/test_golden.py"),
    ],
)
def test_a_file_that_is_not_imported_selects_the_tests_that_own_it(path: str, test: str) -> None:
    found = chosen([path])
    assert found is None or test in found


@pytest.mark.parametrize("changed", [None, ["Makefile"], ["pyproject.toml"], ["a/new/thing.bin"]])
def test_an_unknown_file_selects_all_tests(changed: list[str] | None) -> None:
    assert chosen(changed) is None
    assert chosen([]) == []


def test_a_change_that_affects_few_tests_runs_all_their_cases() -> None:
    assert arguments(["companion/card/wifi.py"])[0] != "--sample"
    assert arguments(["companion/web/static/table.js"])[0] != "--sample"
    assert arguments(["companion/games/chips.py"])[0] == "--sample"
    assert arguments(None) == ["--sample", "tests"]
    assert arguments([]) == []


def test_a_removed_module_chooses_the_tests_that_imported_it() -> None:
    """They have changed as well, or don't import it any more."""
    found = chosen(["companion/games/gone.py"])
    assert found is not None
    assert "tests/test_layers.py" in found


def test_changed_docstrings_concern_only_tests_that_read_sources() -> None:
    found = chosen(["companion/games/chips.py"], {"companion/games/chips.py"})
    assert found is not None
    assert "tests/test_words.py" in found
    assert "tests/games/test_chips.py" not in found
    before = 'def f():\n    """One."""\n    return "a"  # why\n'
    assert code_of(before) == code_of('def f():\n    """Two\n    lines."""\n\n    return "a"\n')
    assert code_of(before) != code_of('def f():\n    """One."""\n    return "b"\n')
    assert code_of(before) != code_of("def f():\n    return 'a'\n")


def test_every_pattern_for_owners_and_rigs_matches_a_file() -> None:
    files = git("ls-files").splitlines()
    if not files:
        pytest.skip("not a clone")
    for pattern in (*OWNERS, *RIGS):
        assert any(fnmatch(path, pattern) for path in files), pattern
    for some in OWNERS.values():
        for pattern in some:
            assert any(fnmatch(path, pattern) for path in all_test_files()), pattern
    there = [path.stem.removeprefix("rig_") for path in (ROOT / "tests/rigs").glob("rig_*.py")]
    for some in RIGS.values():
        for pattern in some:
            assert any(fnmatch(name, pattern) for name in there), pattern


def test_every_test_file_can_be_selected() -> None:
    known = {path for path in modules().values() if PurePosixPath(path).name.startswith("test_")}
    assert known | {TAPES} == set(all_test_files())


def test_a_change_selects_rigs_from_a_table() -> None:
    assert rigs(["companion/record/journal.py"]) == [
        f"tests/rigs/rig_{name}.py" for name in ("cut", "cut_worse", "damage")
    ]
    assert rigs(["companion/web/page.py", "docs/tally.md", "tests/web/live.py"]) == []
    assert rigs(["tests/rigs/rig_stick.py"]) == ["tests/rigs/rig_stick.py"]
    assert rigs(["tests/rigs/seat_host.py"]) == [
        f"tests/rigs/rig_{name}.py" for name in ("micropython", "pico", "pico_renewal")
    ], "these import it"
    assert rigs(["tests/rigs/conftest.py"])[0] == "tests/rigs/rig_board.py", "of all rigs"
    assert rigs(None) == rigs(["Makefile"]) == ["tests/rigs"]


@pytest.mark.parametrize(
    ("path", "affected"),
    [
        ("record/store/store.py", ["cut", "cut_worse", "damage"]),
        ("record/rows.py", ["cut", "cut_worse", "damage"]),
        ("record/copies/text_copy.py", ["cut", "cut_worse", "damage", "stick"]),
        ("record/copies/restore.py", ["stick"]),
        ("record/tally.py", ["damage"]),
        ("record/people/people.py", ["damage"]),
        ("record/people/forget.py", []),
        ("record/match.py", []),
        ("devices/board.py", ["kernel", "kernel_pads", "kernel_phones", "kernel_service",
                              "micropython", "pico", "pico_renewal", "stick"]),
        ("devices/voice.py", []),
        ("devices/display/panel.py", ["kernel", "kernel_phones", "kernel_service"]),
        ("devices/display/framebuffer.py", ["kernel_phones"]),
        ("devices/display/virtual.py", ["service"]),
        ("devices/gpio/debounce.py", ["kernel", "kernel_phones", "kernel_service"]),
        ("devices/pads/number_pads.py", ["kernel_pads"]),
        ("devices/keypads/renewal.py", ["pico_renewal"]),
        ("devices/keypads/port_thread.py", ["kernel_pads", "micropython", "pico", "pico_renewal"]),
    ],
)  # fmt: skip
def test_a_module_selects_the_rigs_that_test_it(path: str, affected: list[str]) -> None:
    assert rigs([f"companion/{path}"]) == [f"tests/rigs/rig_{name}.py" for name in affected]


def test_ci_compares_with_the_last_complete_green_run() -> None:
    here = git("rev-parse", "HEAD").strip()
    assert last_green(f"Last whole green run: commit {here[:8]}, 2026-11-28.") == here
    assert last_green("Last whole green run: commit 00000000, 2026-11-28.") == ""
    assert last_green("Nothing was seen whole and green yet.") == ""
