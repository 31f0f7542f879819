"""The man page and the completions for bash, zsh and fish, made from the parsers.

They are in `share/`, where an installer of Python packages and debian/install look for them, and
are not committed. Every build makes them (systemd/build_backend.py, systemd/make_deb.py); by hand:
python -m tests.manual.shells
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from companion.commands.cli import make_parser
from companion.core.version import VERSION

ROOT = Path(__file__).parents[2]
SHARE = ROOT / "share"
OF_FILES = ("FILE", "FILE|ADDRESS", "FOLDER", "DIR", "HTML", "PATH", "PHOTO", "PLACE")
"""What is named so is completed with names of files."""

Parsers = Mapping[str, argparse.ArgumentParser]


def parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parser and those of all commands below it, each with its words: “companion hub run”."""
    yield parser.prog, parser
    for command in _subparsers(parser).values():
        yield from parsers(command)


def _subparsers(parser: argparse.ArgumentParser) -> Parsers:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _summaries(parser: argparse.ArgumentParser) -> dict[str, str]:
    """The commands directly below a parser, each with the line that explains it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {one.dest: one.help or "" for one in action._choices_actions}
    return {}


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in parser._actions
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]


def _values(action: argparse.Action) -> tuple[str, ...]:
    """What an option expects, one word for each value; none for a switch."""
    if action.nargs == 0:
        return ()
    if isinstance(action.metavar, tuple):
        return action.metavar
    return (action.metavar or action.dest.upper(),)


def _choices(action: argparse.Action) -> str:
    return " ".join(map(str, action.choices or ()))


def _is_file(action: argparse.Action) -> bool:
    return action.metavar in OF_FILES


# ---------------------------------------------------------------- man page

BEFORE = r""".TH COMPANION 1 "" "table companion VERSION" "User Commands"
.SH NAME
companion \- keep score for dominoes played at a real table
.SH SYNOPSIS
.B companion
.I COMMAND
.RI [ OPTION .\|.\|.]
.RI [ ARGUMENT .\|.\|.]
.SH DESCRIPTION
Keeps score for High Five and related domino games: on a page, on a Raspberry Pi with keys and a
display, or with keypads at the seats.
.B companion run
starts the table and prints the address of its page.
.PP
Commands that read the record also work while the table runs.
.SH COMMANDS
"""
AFTER = r""".SH EXIT STATUS
.TP
.B 0
All is well.
.TP
.B 1
Something is wrong, or was not found.
.TP
.B 2
Something can't be read, or the command was given wrongly.
.SH ENVIRONMENT
.TP
.B COMPANION_RECORD
The record, unless an option or the configuration names another.
.SH FILES
.TP
.I /etc/companion/companion.toml
The configuration.
.TP
.I ~/.local/share/companion/record.db
The record of a table that somebody starts by hand.
.TP
.I /var/lib/companion/record.db
The record of the service.
"""


def man_page() -> str:
    """The man page companion(1)."""
    found = list(parsers(make_parser()))
    lines = "".join(line for words, parser in found[1:] for line in _section(words, parser))
    return BEFORE.replace("VERSION", VERSION) + lines + AFTER


def _section(words: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f".SS {_roff(words)}\n"
    if _subparsers(parser):
        yield f"{_roff(parser.description)}\n"
        return
    optional = r" [\fIOPTION\fR...]" if len(_options(parser)) > 1 else ""
    expected = "".join(f" {_synopsis(action)}" for action in _arguments(parser))
    yield f"\\fB{_roff(words)}\\fR{optional}{expected}\n.PP\n{_roff(parser.description)}\n"
    for action in (*_arguments(parser), *_options(parser)):
        if isinstance(action, argparse._HelpAction):
            continue
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in action.option_strings)
        values = " ".join(rf"\fI{_roff(value)}\fR" for value in _values(action))
        of = f" One of: {_choices(action)}." if action.choices else ""
        told = f"{action.help or ''}.{of}".lstrip(".")
        yield f".TP\n{names}{' ' if names and values else ''}{values}\n{_roff(told).strip()}\n"
    if parser.epilog:
        yield f".PP\n{_roff(parser.epilog.strip())}\n"


def _synopsis(action: argparse.Action) -> str:
    name = rf"\fI{_roff(' '.join(_values(action)))}\fR"
    return {"?": f"[{name}]", "*": f"[{name}...]", "+": f"{name}..."}.get(str(action.nargs), name)


def _roff(text: str | None) -> str:
    """The text escaped for groff, so that no line of it is a request."""
    escaped = (text or "").replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped, flags=re.MULTILINE)


# ---------------------------------------------------------------- completions


def bash() -> str:
    """The completion for bash."""
    found = dict(parsers(make_parser()))
    lines = []
    for words, parser in found.items():
        for action in _options(parser):
            if _values(action):
                names = "|".join(f'"{words} {name}"' for name in action.option_strings)
                lines.append(f"        {names}) {_bash_values(action)} ;;")
    words_of = []
    for words, parser in found.items():
        offered = [*_subparsers(parser), *(_choices(one) for one in _arguments(parser))]
        options = [name for action in _options(parser) for name in action.option_strings]
        files = "yes" if any(map(_is_file, _arguments(parser))) else ""
        words_of.append(
            f'        "{words}") words="{" ".join(filter(None, offered))}" '
            f'options="{" ".join(options)}" files={files} ;;'
        )
    known = "|".join(f'"{words}"' for words in found if " " in words)
    return BASH.format(known=known, values="\n".join(lines), words="\n".join(words_of))


def _bash_values(action: argparse.Action) -> str:
    if action.choices:
        return f'COMPREPLY=($(compgen -W "{_choices(action)}" -- "$current")); return'
    if _is_file(action):
        return "compopt -o default; return"
    return "[[ $current == -* ]] || return" if action.nargs == "?" else "return"


BASH = """\
# bash completion for companion
_companion() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" at=companion words= options= files= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at ${{COMP_WORDS[i]}}" in
        {known})
            at+=" ${{COMP_WORDS[i]}}" ;;
        esac
    done
    case "$at ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
    esac
    case "$at" in
{words}
    esac
    [[ $current == -* ]] && words="$options" files=
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ $files ]] && compopt -o default
}}
complete -F _companion companion
"""


def fish() -> str:
    """The completion for fish."""
    found = dict(parsers(make_parser()))
    known = " ".join(f"'{words}'" for words in found if " " in words)
    lines = []
    for words, parser in found.items():
        at = f"complete -c companion -n \"__companion_at '{words}'\""
        for name, told in _summaries(parser).items():
            lines.append(f"{at} -a {name} -d {_quoted(told)}")
        for action in _options(parser):
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in action.option_strings
            )
            lines.append(f"{at} {names}{_fish_values(action)} -d {_quoted(action.help or '')}")
        for action in _arguments(parser):
            if action.choices:
                lines.append(f"{at} -a {_quoted(_choices(action))}")
            elif _is_file(action):
                lines.append(f"{at} -F")
    return FISH.format(known=known, lines="\n".join(lines))


def _fish_values(action: argparse.Action) -> str:
    if not _values(action) or action.nargs == "?":
        return ""
    if action.choices:
        return f" -x -a {_quoted(_choices(action))}"
    return " -r -F" if _is_file(action) else " -x"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


FISH = """\
# fish completion for companion
function __companion_at
    set -l at companion
    for word in (commandline -opc)[2..]
        if contains -- "$at $word" {known}
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c companion -f
{lines}
"""


def zsh() -> str:
    """The completion for zsh."""
    return ZSH.format(functions="\n".join(_zsh_functions(make_parser())))


def _zsh_functions(parser: argparse.ArgumentParser) -> Iterator[str]:
    commands = _subparsers(parser)
    for command in commands.values():
        yield from _zsh_functions(command)
    specs = [
        _zsh_quoted(f"{'(- *)' if action.nargs == 0 and action.dest in ('help', 'version') else ''}"
                    f"{name}[{_zsh_told(action.help or '')}]{_zsh_values(action)}")
        for action in _options(parser)
        for name in action.option_strings
    ]  # fmt: skip
    name = _zsh_name(parser.prog)
    if not commands:
        specs += [_zsh_quoted(_zsh_argument(action)) for action in _arguments(parser)]
        yield f"{name}() {{\n    _arguments {_folded(specs)}\n}}"
        return
    told = [_zsh_quoted(f"{one}:{_zsh_told(text)}") for one, text in _summaries(parser).items()]
    specs += ["':command:->command'", "'*::argument:->rest'"]
    yield ZSH_COMMANDS.format(name=name, specs=_folded(specs), commands=_folded(told))


def _folded(words: Sequence[str]) -> str:
    return " \\\n        ".join(words)


def _zsh_name(prog: str) -> str:
    return "_" + prog.replace(" ", "_")


def _zsh_values(action: argparse.Action) -> str:
    if not _values(action):
        return ""
    optional = ":" if action.nargs == "?" else ""
    return "".join(
        f":{optional}{_zsh_told(value)}:{_zsh_completed(action)}" for value in _values(action)
    )


def _zsh_argument(action: argparse.Action) -> str:
    many = "*" if action.nargs in ("*", "+") else ""
    optional = ":" if action.nargs == "?" else ""
    (value,) = _values(action)
    return f"{many}:{optional}{_zsh_told(value)}:{_zsh_completed(action)}"


def _zsh_completed(action: argparse.Action) -> str:
    if action.choices:
        return f"({_choices(action)})"
    return "_files" if _is_file(action) else " "


def _zsh_told(text: str) -> str:
    return re.sub(r"([\\\[\]:])", r"\\\1", text)


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


ZSH = """\
#compdef companion
{functions}
_companion "$@"
"""
ZSH_COMMANDS = """\
{name}() {{
    local context state line
    local -a commands
    commands=(
        {commands}
    )
    _arguments -C {specs}
    case $state in
        command) _describe command commands ;;
        rest)
            if (( $+functions[{name}_$words[1]] )); then
                {name}_$words[1]
            fi ;;
    esac
}}"""

# ---------------------------------------------------------------- the files

FILES = {
    "man/man1/companion.1": man_page,
    "bash-completion/completions/companion": bash,
    "zsh/site-functions/_companion": zsh,
    "fish/vendor_completions.d/companion.fish": fish,
}
"""The files in `share/`, as pyproject.toml and debian/install have them, and what makes each."""


def renew_shells(into: Path = SHARE) -> None:
    """Writes the files whose text is out of date."""
    for name, make in FILES.items():
        path, text = into / name, make()
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    renew_shells()
