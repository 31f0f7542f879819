"""`companion voice`: lists the clips of the box's voice, for somebody to record, or makes them with
Piper."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command, expanded_path
from companion.commands.terminal import SUCCESS, fail, print_lines
from companion.core.languages import OWN_NAMES

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


def add_voice(commands: "Commands") -> None:
    parser = commands.add_parser(
        "voice",
        help="the clips of the box's voice: what to record, or to have made",
        description="The clips of the box's voice.",
    )
    parser.set_defaults(group=parser)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND")
    command = add_command(
        parts, "list", "list the clips of a language, and what each one says", list_clips
    )
    command.epilog = """
Record each clip under its name, as WAV in one channel of 16 bits, in the folder that the
configuration names ([voice] clips). Clips that are there go before those that the box makes."""
    command.add_argument("language", metavar="LANGUAGE", choices=tuple(OWN_NAMES))
    command.add_argument(
        "names", metavar="NAME", nargs="*", help="a person's name, which gets clips, too"
    )
    command.add_argument(
        "--piper", metavar="VOICE", type=expanded_path,
        help="make those that are missing with Piper and this voice, a file that ends in .onnx",
    )  # fmt: skip
    command.add_argument(
        "--into", metavar="FOLDER", type=expanded_path,
        help="the folder for what Piper makes; else the one in the configuration",
    )  # fmt: skip


def list_clips(args: argparse.Namespace, _games: "Catalog") -> int:
    """Prints the name of each clip and its words. With --piper, makes the missing clips. Raises
    ConfigError."""
    clips = _clips_of(args.language, args.names)
    print_lines(f"{name}: {words}" for name, words in clips.items())
    return _make_clips(clips, args.piper, args.into) if args.piper else SUCCESS


def _clips_of(name: str, people: list[str]) -> dict[str, str]:
    """Returns the words of each clip of a language, by the clip's path in the folder of recorded
    clips."""
    from companion.devices.voice import file_of
    from companion.presentation.language import language_of
    from companion.presentation.sayings import COLOUR
    from companion.presentation.spoken_pieces import all_pieces, pieces_of_names

    language = language_of(name)
    seats = [language.template(english, key) for key, english in COLOUR.items()]
    found = dict[str, str]()
    for piece in (*pieces_of_names([*people, *seats], language), *all_pieces(language)):
        found.setdefault(f"{name}/{file_of(piece)}", piece)
    return found


def _make_clips(clips: dict[str, str], voice: Path, into: Path | None) -> int:
    """Makes the clips that are not in the folder yet; returns the exit status. Raises
    ConfigError."""
    from companion.app.config import load_config
    from companion.devices.voice import MissingClipError, piper_clips, wav_bytes

    if into is None:
        configured = load_config().voice.clips
        if not configured:
            return fail("there is no folder for the clips: --into, or [voice] clips")
        into = Path(configured)
    missing = {name: words for name, words in clips.items() if not (into / name).exists()}
    try:
        made = piper_clips([*missing.values()], voice) if missing else []
    except MissingClipError as error:
        return fail(str(error))
    for name, clip in zip(missing, made, strict=True):
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        (into / name).write_bytes(wav_bytes(clip))
    return SUCCESS
