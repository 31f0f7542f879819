"""Measures how long the box's voice speaks about a play, a draw and a pass, in each language:
`python -m tests.voice_seconds` prints the table of docs/tried.md (needs espeak-ng).

Four players play at random. The time for an entry is that of its clips, with the pauses between the
sentences.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.app.catalog import CATALOG
from companion.app.speaking import PAUSE_S
from companion.core.languages import OWN_NAMES
from companion.core.seats import Seats
from companion.core.values import Json
from companion.devices.voice import Clips
from companion.presentation.language import ENGLISH
from companion.presentation.moment import Moment, describe
from companion.presentation.spoken_pieces import pieces_of
from companion.presentation.voice import COUNTS, EVERYTHING, Voice
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from tests.catalog import GAMES
from tests.catalogues import translated
from tests.random_games import Evening

SEATS: Final = Seats.of("Anna", "Ben", "Carl", "Dan")
SCORING: Final = {
    "high-five": "a play that somebody pays",
    "all-fives": "a play that scores",
    "fives-and-threes": "a play that scores by fives and threes",
}
HANDS: Final = 6
Kind = tuple[str, str]
"""How much is said, and of what."""


def main() -> None:
    """Prints the table, as Markdown: the median, and how long the longest takes."""
    found = {name: seconds_by_kind(name) for name in OWN_NAMES}
    print("|  |", " | ".join(found), "|")
    print("|---|", "---|" * len(found), sep="")
    for kind in found[ENGLISH.name]:
        cells = [
            f"{statistics.median(each[kind]):.1f}, {max(each[kind]):.1f}" for each in found.values()
        ]
        print(f"| {', '.join(kind)} |", " | ".join(cells), "|")


def seconds_by_kind(name: str) -> Mapping[Kind, list[float]]:
    """The seconds of everything that is said in games of this language, by its kind."""
    language = ENGLISH if name == ENGLISH.name else translated(name)
    found = defaultdict[Kind, list[float]](list)
    with TemporaryDirectory() as folder:
        clips = Clips(name, Path(folder))
        for kind, said in everything_said():
            pieces = [piece for one in said for piece in pieces_of(one["words"], language)]
            pauses = PAUSE_S * (len(said) - 1)
            found[kind].append(sum(clips.clip(piece).seconds for piece in pieces) + pauses)
    return found


def everything_said() -> Iterator[tuple[Kind, list[Json]]]:
    for level in (COUNTS, EVERYTHING):
        for game, scoring in SCORING.items():
            for what, said in said_of_entries(game, level):
                if what == "scores" or game == "high-five":
                    yield (level, scoring if what == "scores" else what), said


def said_of_entries(game: str, level: str) -> Iterator[tuple[str, list[Json]]]:
    """Yields the kind of each entry in the middle of a hand, and the sentences of the voice about
    it."""
    voice = Voice()
    for journal in a_game(game):
        moment = describe(Moment(CATALOG, journal, journal.length, 1, {}))
        said = voice.hear(moment, level)
        key, goes_on = moment["latest"][0]["said"]["key"], moment["asked"]["key"] == "asks.turn"
        if not said or not goes_on:
            continue
        if key == "entry.lays":
            yield "scores" if moment["latest"][0]["payments"] else "a plain play", said
        elif level == EVERYTHING and key in ("entry.draws", "entry.passes"):
            yield f"a {key.removeprefix('entry.').removesuffix('s')}", said


def a_game(name: str) -> Iterator[Journal[Any]]:
    evening = Evening(Random(5), name, SEATS, {})
    for _ in range(HANDS):
        if not evening.state.finished:
            evening.play_hand()
    journal = Journal.begin(GameOpened(name, SEATS, {}), GAMES)
    for entry, _ in evening.played:
        journal = journal.fold(Step((entry,)))
        yield journal


if __name__ == "__main__":
    main()
