"""The man page and the completions, read by man and by the shells themselves."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

from companion.commands.cli import make_parser
from tests.manual.shells import FILES, ROOT, bash, fish, man_page, parsers, renew_shells
from tests.waiting import WAIT_S

OFFERED = {
    "companion hub jo": "join",
    "companion show --language pt": "pt-BR",
    "companion run --no": "--no-browser",
    "companion hub verify --datab": "--database",
    "companion photo a": "add",
    "companion run --config pypro": "pyproject.toml",
    "companion --vers": "--version",
}
"""What is typed, and what a shell completes its last word to."""


def needs(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")


def test_the_man_page_has_each_command_and_option() -> None:
    plain = man_page().replace(r"\-", "-")
    for words, parser in parsers(make_parser()):
        assert " " not in words or f".SS {words}\n" in plain
        for action in parser._actions:
            for name in set(action.option_strings) - {"-h", "--help", "--version"}:
                section = plain.partition(f".SS {words}\n")[2].partition(".SS ")[0]
                assert rf"\fB{name}\fR" in section


def test_the_man_page_is_as_groff_wants_it() -> None:
    needs("groff")
    command = ["groff", "-Kutf8", "-man", "-ww", "-Tutf8", "-P-cbou"]
    ran = subprocess.run(command, input=man_page(), capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    assert "companion hub join [OPTION...] ADDRESS\n" in ran.stdout
    assert "\n\n       .csv" not in ran.stdout


def test_bash_completes() -> None:
    script = (
        f"{bash()}\n"
        'compopt() { [[ $COMPREPLY ]] || COMPREPLY=($(compgen -f -- "$current")); }\n'
        'while read -ra COMP_WORDS; do COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _companion; '
        'echo "${COMPREPLY[*]}"; done'
    )  # fmt: skip
    ran = subprocess.run(
        ["bash", "-c", script], input="\n".join([*OFFERED, ""]), cwd=ROOT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert dict(zip(OFFERED, ran.stdout.splitlines(), strict=True)) == OFFERED
    assert ran.stderr == ""


def test_fish_completes(tmp_path: Path) -> None:
    needs("fish")
    asked = "\n".join(f"complete -C '{typed}'; echo" for typed in OFFERED)
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    ran = subprocess.run(
        ["fish", "--no-config", "-c", f"{fish()}\n{asked}"], cwd=ROOT, env=env,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = [answer.split("\t")[0] for answer in ran.stdout.strip().split("\n\n")]
    assert dict(zip(OFFERED, told, strict=True)) == OFFERED


def test_zsh_completes(tmp_path: Path) -> None:
    """zsh completes only at a terminal."""
    needs("zsh")
    renew_shells(tmp_path)
    (tmp_path / ".zshrc").write_text(
        "PS1=; unset zle_bracketed_paste; companion() { print -r -- \"<$*>\"; }\n"
        f"fpath=({tmp_path}/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D\n"
        "print read''y\n"
    )  # fmt: skip
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        env = {"PATH": os.environ["PATH"], "TERM": "dumb", "ZDOTDIR": str(tmp_path)}
        os.execvpe("zsh", ["zsh", "-d", "-i"], env)
    try:
        _read_until(terminal, "ready")
        for typed, completed in OFFERED.items():
            os.write(terminal, f"{typed}\t\n".encode())
            words = " ".join([*typed.split()[1:-1], completed])
            _read_until(terminal, f"<{words}>")
    finally:
        os.write(terminal, b"exit\n")
        os.close(terminal)
        os.waitpid(pid, 0)


def _read_until(terminal: int, text: str) -> None:
    """Reads what the shell prints until `text` is there."""
    got, end = "", time.monotonic() + WAIT_S
    while text not in got:
        assert select.select([terminal], [], [], max(0, end - time.monotonic()))[0], got
        got += os.read(terminal, 4096).decode(errors="replace")


def test_each_file_is_installed_from_the_wheel_and_the_debian_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {name for names in project["data-files"].values() for name in names}
    assert packed == {f"share/{name}" for name in FILES}
    lines = (ROOT / "systemd/debian/install").read_text()
    for name in FILES:
        assert re.search(rf"^share/{name.removesuffix('/companion.1')} ", lines, re.MULTILINE)
