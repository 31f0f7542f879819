"""Everything that the documents name exists, and agrees with them."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from companion.app.config import Config, parse_config
from companion.devices.board import known_boards
from companion.devices.display.drivers import Display
from companion.presentation.page_words import EXAMPLE
from tests.screens.draw import README_PICTURE, readme_picture

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
TOP = tuple(ROOT.glob("*.md"))
"""The documents at the top of the repository."""
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_the_readme_has_its_two_commands_in_separate_blocks() -> None:
    assert re.findall(r"```sh\n(.*?)```", README, re.DOTALL) == ["make run\n", "make test\n"]


def test_the_readme_is_short_and_begins_with_a_picture_and_commands() -> None:
    assert len(README.split()) <= 450
    assert "dominoes" in README.splitlines()[2]
    assert README.index("![") < README.index("make run") < README.index("make test")
    assert "make test" in README.partition("\n## ")[0]
    assert f"**{EXAMPLE['welcome.watch']}**" in README, "as the page calls it"


def test_the_readme_has_a_wide_picture() -> None:
    """Renew it with: python -m tests.web.draw_readme"""
    with Image.open(ROOT / "docs" / "table.png") as picture:
        assert picture.width >= 2 * picture.height


def test_the_index_and_the_release_begin_with_a_short_film() -> None:
    """Renew it with: python -m tests.web.draw_film"""
    film = ROOT / "docs" / "film.webp"
    assert film.stat().st_size <= 2_000_000
    with Image.open(film) as picture:
        assert len([*ImageSequence.Iterator(picture)]) >= 10
    for page in ("docs/README.md", "systemd/release/start-here.md"):
        assert "(film.webp)" in (ROOT / page).read_text().partition("\n## ")[0], page


def test_the_index_links_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    for document in (ROOT / "docs").glob("*.md"):
        assert document.name == "README.md" or f"({document.name})" in index, document.name


VERSIONS = re.split(r"^## \[([\d.]+\w*)\] - .*\n", CHANGELOG, flags=re.MULTILINE)[1:]


@pytest.mark.parametrize(("version", "text"), [*zip(VERSIONS[::2], VERSIONS[1::2], strict=True)])
def test_a_version_has_ten_lines_in_the_changelog_and_a_page_of_details(
    version: str, text: str
) -> None:
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert 0 < len(lines) <= 10
    assert max(map(len, lines)) <= 140
    release = version.partition(".dev")[0]
    assert (ROOT / "docs" / "changes" / f"{release}.md").exists()
    assert f"(docs/changes/{release}.md)" in text


def test_every_make_command_that_a_document_names_exists() -> None:
    guides = (*TOP, *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md"))
    for document in (*guides, ROOT / ".ci" / "run"):
        for command in re.findall(
            r"(?:^|`|true )make ([a-z-]+)", document.read_text(), re.MULTILINE
        ):
            assert command in TARGETS, f"{document.name} names make {command}"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert "\nmake test || failed=1\n" in (ROOT / ".ci" / "run").read_text()


COMMANDS = (ROOT / "docs" / "commands.md").read_text()


@pytest.mark.parametrize("command", sorted({*re.findall(r"`companion ([a-z]+)", COMMANDS)}))
def test_every_command_that_is_documented_exists(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.commands.cli import main

    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert command in capsys.readouterr().out


def test_every_link_has_a_target() -> None:
    documents = (*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "changes").glob("*.md"))
    for document in (*TOP, *ROOT.glob("*/README.md"), *documents):
        for target in re.findall(r"\]\(([^):]+)\)", document.read_text()):
            name, _, heading = target.partition("#")
            other = document.parent / name if name else document
            assert other.exists(), target
            assert not heading or heading in _headings(other), target


def test_documents_describe_what_rigs_verified_and_that_no_pi_was_used() -> None:
    tried = (ROOT / "docs" / "tried.md").read_text()
    told = tried.partition("No physical Raspberry Pi was at hand")[2]
    rows = set(re.findall(r"^\| ([a-z]+) \|", told, re.MULTILINE)) - {"rig"}
    assert rows >= {"kernel", "service", "cut"}
    assert all((ROOT / "tests" / "rigs" / f"rig_{row}.py").exists() for row in rows)


def _headings(document: Path) -> set[str]:
    """The anchors of a document's headings."""
    found = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_the_picture_shows_the_current_screens() -> None:
    """Renew the picture with: python -m tests.screens.draw --readme"""
    with Image.open(README_PICTURE) as picture:
        assert picture.convert("RGB").tobytes() == readme_picture().tobytes()


def test_the_documented_configuration_is_the_default_one() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    example = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    assert parse_config(example, "docs") == Config()
    documented, default = tomllib.loads(example), Config()
    assert sorted(documented) == sorted(section.name for section in fields(Config))
    assert documented.pop("display") == {}
    for section, keys in documented.items():
        assert sorted(keys) == sorted(key.name for key in fields(getattr(default, section)))


def test_every_key_of_a_display_and_every_board_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    keys = re.findall(r"^# (\w+) = ", text, re.MULTILINE)
    assert sorted(keys) == sorted(key.name for key in fields(Display))
    assert set(re.findall(r"^- `([\w.-]+)`", text, re.MULTILINE)) == set(known_boards())


def test_the_documented_keys_of_a_display_can_be_used() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    lines = re.findall(r"^# (\w+ = [^#]*)", text, re.MULTILINE)
    display = parse_config("\n".join(["[display]", *lines]), "docs").display
    assert len(display) == len(lines)
