"""A missing program is reported at once, not after eight minutes."""

import re
from pathlib import Path

import pytest

from hw import tools
from hw.tools import PACKAGES, missing

MAKEFILE = (Path(__file__).parents[2] / "Makefile").read_text()


def nothing(_program: str) -> str | None:
    return None


def everything(program: str) -> str | None:
    return f"/usr/bin/{program}"


def test_all_missing_tools_are_reported_at_once() -> None:
    told = "\n".join(missing("all", nothing, root=True))
    for program in ("openscad", "xvfb-run", "xauth", "dot", "KiCad 9"):
        assert program in told
    for program in tools.PICTURES:
        assert f"{program} (sudo apt install {PACKAGES[program]})" in told


def test_no_tool_is_reported_if_all_are_installed() -> None:
    for what in ("all", "case", "guide", "board"):
        assert missing(what, everything, root=False) == []


@pytest.mark.parametrize(("root", "lacks"), [(True, 0), (False, 1)])
def test_root_fetches_kicad_with_mmdebstrap(root: bool, lacks: int) -> None:
    def found(program: str) -> str | None:
        return None if program == "kicad-cli" else everything(program)

    assert len(missing("board", found, root=root)) == lacks


def test_the_cases_need_no_kicad() -> None:
    assert missing("case", lambda program: program if program == "openscad" else None) == []


@pytest.mark.parametrize("target", ["hw", "case", "guide", "hw-board"])
def test_make_asks_before_installing(target: str) -> None:
    rule = re.search(rf"^{target}: (\S+)", MAKEFILE, re.MULTILINE)
    assert rule
    assert rule[1] == f"tools-{target.removeprefix('hw-') if target != 'hw' else 'all'}"


def test_the_command_reports_missing_tools_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tools, "missing", lambda what: ["dot (sudo apt install graphviz)"])
    assert tools.main("all") == 1
    assert capsys.readouterr().err.startswith("Missing:\n- dot (sudo apt install graphviz)\n")
