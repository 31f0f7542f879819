"""Mistakes on the command line, and the choice of the record that is read."""

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from companion.app import SERVICE_RECORD
from companion.commands.arguments import default_record_path, whole_number
from companion.core.version import VERSION
from tests.commands.running import READING, Run


@pytest.mark.parametrize(
    "words",
    [["hub", "sing"], ["sing"], ["show", "1", "2"], ["replay", "a", "--jsn"], ["verify", "x"]],
)
def test_wrong_arguments_are_refused(
    run: Run, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*words)
    assert raised.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "--help)" in err


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("00", 0), ("007", 7), ("80", 80)])
def test_a_whole_number_is_read(word: str, number: int) -> None:
    assert whole_number(0, 80, "is none")(word) == number


@pytest.mark.parametrize("word", ["", "81", "-1", "1.0", "1_0", "٣", " 1", "9" * 5000])
def test_other_words_are_not_whole_numbers(word: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is none"):
        whole_number(0, 80, "is none")(word)


@pytest.mark.parametrize(
    "command", [[], ["replay"], ["games"], ["show"], ["export"], ["verify"], ["check"]]
)
def test_each_command_has_a_help_text(
    run: Run, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*command, "--help")
    assert raised.value.code == 0
    assert "usage: companion" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "shown"), [((), "start the table"), (("hub",), "run a club's hub")]
)
def test_without_a_command_the_help_is_shown(run: Run, words: tuple[str, ...], shown: str) -> None:
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert out.startswith(" ".join(("usage: companion", *words))) and shown in out


def test_a_command_s_help_keeps_its_capital_letters(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("tv", "--help")
    assert "\nDraw the table on the screen that hangs on HDMI.\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("gmaes",), "there is no command 'gmaes'; did you mean games?"),
        (("hub", "jion"), "there is no command 'jion'; did you mean join?"),
        (("show", "--language", "xx"), "argument --language: 'xx' is not known; known are de,"),
        (("xyz",), "there is no command 'xyz'; known are certificate, check, copy,"),
    ],
)
def test_an_unknown_word_gets_a_suggestion(
    run: Run, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], hint: str
) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*words)
    assert raised.value.code == 2
    assert hint in capsys.readouterr().err


def test_the_version_is_printed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        run("--version")
    assert (raised.value.code, capsys.readouterr().out) == (0, f"companion {VERSION}\n")


def test_the_default_path_of_the_record_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("COMPANION_RECORD", "STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_record_path() == tmp_path / ".local/share/companion/record.db"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_record_path() == Path("/data/companion/record.db")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion")
    assert default_record_path() == SERVICE_RECORD
    monkeypatch.setenv("COMPANION_RECORD", "/elsewhere/r.db")
    assert default_record_path() == Path("/elsewhere/r.db")


def test_the_systemd_services_record_is_read_if_no_other_exists(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record: Path
) -> None:
    monkeypatch.setattr("companion.commands.arguments.SERVICE_RECORD", record)
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    assert run("verify")[0] == 0


@pytest.mark.parametrize("command", READING)
def test_the_configured_record_is_read(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    record: Path,
    command: list[str],
) -> None:
    monkeypatch.setattr("companion.app.config.PLACE", tmp_path / "table.toml")
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    (tmp_path / "table.toml").write_text(f'[record]\npath = "{record}"\n')
    assert run(*command)[0] == 0
    missing = tmp_path / "other.db"
    status, _, err = run(*command, "--record", missing)
    assert (status, err) == (2, f"{missing} can't be read: no such file or directory\n")
    (tmp_path / "table.toml").write_text('[record]\npth = "r.db"\n')
    assert run(*command) == (
        2,
        "",
        f"companion: {tmp_path}/table.toml: [record] pth is not known; did you mean path?\n",
    )


def test_an_unreadable_service_record_is_reported(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record: Path
) -> None:
    """Only the group may look into that record's folder."""
    exists = Path.exists

    def refused(path: Path, *_: str) -> bool:
        if path == record:
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr("companion.commands.arguments.SERVICE_RECORD", record)
    monkeypatch.setattr("companion.app.config.PLACE", tmp_path / "table.toml")
    monkeypatch.setattr(Path, "exists", refused)
    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    monkeypatch.setattr("getpass.getuser", lambda: "guest")
    for group, remedy in (
        ("companion", ": to join its group: sudo usermod -aG companion guest"),
        ("root", ""),
    ):
        monkeypatch.setattr(Path, "group", lambda _, group=group: group)
        assert run("verify") == (2, "", f"{record} can't be read: permission denied{remedy}\n")
