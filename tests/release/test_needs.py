"""All that `make release` needs is checked at once, before an hour of work; a part that nobody
asked for is only a note."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hw import tools
from image.inputs import TOOLS
from release import __main__ as command
from release import needs
from release.__main__ import NotAskedError, put_list, put_signer, put_update, release
from tests.manual.book import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def nothing(_program: str) -> str | None:
    return None


def everything(program: str) -> str | None:
    return f"/usr/bin/{program}"


def test_missing_packages_are_listed_in_one_line_for_apt() -> None:
    told = needs.packages(nothing, nothing, signs=True)
    assert {*TOOLS.values()} <= {*told}, "of the image"
    assert {tools.PACKAGES[program] for program in tools.PICTURES} <= {*told}, "of the cases"
    assert {"chromium", "fonts-dejavu-core", "mmdebstrap"} <= {*told}
    assert told == sorted({*told}) and not any(" " in package for package in told)


def test_nothing_is_reported_if_all_requirements_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda _: object())
    monkeypatch.setattr(needs, "image_lacks", lambda *_, signs: [])
    assert needs.packages(everything, everything, signs=False) == []
    assert needs.faults({}, root=True, foreign=True) == []


def test_requirements_that_apt_cannot_install_are_reported_too(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("no key")
    asked = {"KEY": str(key), "ADDRESS": "ftp:/x"}
    told = needs.faults(asked, root=False, foreign=False)
    assert len(told) == 4 and all(len(line) < 200 for line in told)
    assert "sudo make release" in told[0] and "binfmt" in told[1]
    assert "is no key" in told[2] and "is no address" in told[3]
    assert "is no key" in needs.faults({"KEY": "/nowhere"}, root=True, foreign=True)[0]
    key.write_text("ab" * 32)
    asked["ADDRESS"] = "https://example.org/release"
    assert needs.faults(asked, root=True, foreign=True) == []


def test_missing_requirements_are_reported_before_anything_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(needs, "packages", lambda **_: ["chromium", "openscad"])
    monkeypatch.setattr(needs, "faults", lambda *_, **__: ["KEY: x is no key"])
    assert needs.main() == 1
    told = capsys.readouterr().err
    assert "Nothing is made yet" in told
    assert "\n- sudo apt install chromium openscad\n- KEY: x is no key\n" in told


def test_only_a_tagged_version_is_released() -> None:
    urls = 'Homepage = "https://example.org/"'
    assert needs.release_obstacles("0.4.0", ["v0.4.0"], "", urls) == []
    (line,) = needs.release_obstacles("0.4.0", ["v0.3.0"], "", urls)
    assert "no tag v0.4.0" in line
    project = f'Homepage = "{needs.PLACEHOLDER}"\n"{needs.PRIVATE}"'
    told = needs.release_obstacles("0.4.0.dev0", [], " M README.md", project)
    assert len(told) == 4
    assert "between releases" in told[0] and "git status" in told[1]
    assert "nobody's" in told[2] and "Do Not Upload" in told[3]


def test_the_tag_and_the_files_must_match_the_commit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each reason goes once its remedy has been followed, in a repository of its own."""

    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=tmp_path, capture_output=True, check=True)

    def commit() -> None:
        git("add", ".")
        git("commit", "-m", "A commit")

    def reasons() -> list[str]:
        return [line.split(":")[0] for line in needs._obstacles_here()]

    monkeypatch.setattr(needs, "ROOT", tmp_path)
    for name in ("systemd/make_deb.py", "companion/core/version.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    version = tmp_path / "companion/core/version.py"
    version.write_text('VERSION: Final = "9.8.0.dev0"\n')
    (tmp_path / "pyproject.toml").write_text('Homepage = "https://example.org/"')
    git("init")
    commit()
    assert reasons() == ["9.8.0.dev0 is a version between releases"]
    version.write_text('VERSION: Final = "9.8.0"\n')
    assert reasons() == ["this commit has no tag v9.8.0", "files differ from the commit"]
    commit()
    git("tag", "v9.7.0")
    assert reasons() == ["this commit has no tag v9.8.0"]
    git("tag", "v9.8.0")
    assert reasons() == []
    (tmp_path / "companion" / "new.py").touch()
    assert reasons() == ["files differ from the commit"]
    commit()
    assert reasons() == ["this commit has no tag v9.8.0"]


def test_a_draft_can_be_made_from_any_state_of_the_source(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(needs, "packages", lambda **_: [])
    monkeypatch.setattr(needs, "faults", lambda *_, **__: [])
    monkeypatch.setattr(needs, "_obstacles_here", lambda: ["no tag"])
    monkeypatch.delenv("DRAFT", raising=False)
    assert needs.main() == 1
    assert "- no tag\n- or make a draft" in capsys.readouterr().err
    monkeypatch.setenv("DRAFT", "yes")
    assert needs.main() == 0


def test_a_missing_key_and_address_are_only_noted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(needs, "packages", lambda **_: [])
    monkeypatch.setattr(needs, "faults", lambda *_, **__: [])
    monkeypatch.setattr(needs, "_obstacles_here", list)
    for name in ("KEY", "ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    assert needs.main() == 0
    told = capsys.readouterr().out
    assert "note: " in told and needs.UNSIGNED in told and needs.NO_ADDRESS in told


def test_the_command_checks_its_requirements_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "check_requirements", lambda: False)
    monkeypatch.setattr(sys, "argv", ["release", "--out", str(tmp_path / "release")])
    assert command.main() == 1
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(("lack", "code"), [(NotAskedError("n"), 0), (FileNotFoundError("n"), 1)])
def test_a_part_that_was_not_requested_is_not_a_failure(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    lack: Exception,
    code: int,
) -> None:
    def put(_into: Path) -> None:
        raise lack

    monkeypatch.setattr(command, "check_requirements", lambda: True)
    monkeypatch.setattr(command, "PARTS", {"a list": put})
    monkeypatch.setattr(sys, "argv", ["release", "--out", str(tmp_path)])
    assert command.main() == code
    assert "a list: n" in capsys.readouterr().err
    assert "Not in this release: a list: n" in (tmp_path / "VERSIONS.txt").read_text("utf-8")


def test_without_key_and_address_the_release_is_complete_with_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("KEY", "ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    parts = {"the update": put_update, "a list": put_list, "the signature": put_signer}
    lacks, notes = release(tmp_path / "release", parts)
    assert lacks == [] and len(notes) == 3
    versions = (tmp_path / "release" / "VERSIONS.txt").read_text("utf-8")
    assert "Not in this release: the signature" in versions


def test_make_release_makes_all_parts_in_order() -> None:
    rule = re.search(r"^release: (.+?) ##.*\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE)
    assert rule and rule[1].split()[0] == "tools-release"
    order = re.findall(r"-m (image|hw\.board\.build|hw|release)\b", rule[2])
    assert order == ["image", "hw", "hw.board.build", "release"]
    assert '$(if $(KEY),--key "$(KEY)")' in rule[2], "the update is signed by the same key"


def test_the_check_runs_on_debians_own_python() -> None:
    """The check imports only the standard library, as a clean machine has nothing else."""
    ran = subprocess.run(
        [sys.executable, "-S", "-c", "import release.needs"],
        cwd=ROOT / "systemd",
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'systemd'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_the_tags_of_earlier_releases_name_commits_of_their_versions(tmp_path: Path) -> None:
    """The version stood in pyproject.toml then."""
    history = subprocess.run(["git", "cat-file", "-e", "a1055f57"], cwd=ROOT, check=False)
    if history.returncode:
        pytest.skip("the history is not here")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "-n", "--shared", ROOT, clone], check=True)
    for setting, value in (("user.name", "Anna"), ("user.email", "anna@example.org")):
        subprocess.run(["git", "config", setting, value], cwd=clone, check=True)
    script = ROOT / "systemd" / "release" / "tags.sh"
    for _ in range(2):
        subprocess.run(["sh", script, "--annotate"], cwd=clone, check=True)
    tags = subprocess.check_output(["git", "tag"], cwd=clone, text=True).split()
    assert tags == ["v0.2.0", "v0.3.0"]
    for tag in tags:
        asked = ["git", "show", f"{tag}:pyproject.toml"]
        project = subprocess.check_output(asked, cwd=clone, text=True)
        assert f'\nversion = "{tag.removeprefix("v")}"\n' in project
