"""The words of a game that is watched again, in the file that `companion export --html` writes. Its
script gets them by `words("again.entry", { … })`."""

from collections.abc import Mapping
from typing import Final

MARKS: Final = {
    "mark.star": "Remembered by the table",
    "mark.count": "A big count: {count}",
    "mark.best": "{seat} scores {points}: more than anybody before",
    "mark.called": "{seat} is called bogus",
    "mark.ruling": "{said}",
    "mark.proven": "{said}",
    "mark.hand": "Hand {hand} ends",
    "mark.won": "{seats} won",
    "mark.won-shared": "{seats} won together",
    "mark.lost": "Rows of the record are lost here: what follows is doubtful",
}
"""Words for the marked moments."""

AGAIN: Final = {
    "again.title": "{title}: {seats}",
    "again.game": "Game {number}",
    "again.date": "{date}",
    "again.no-date": "date unknown",
    "again.withdrawn": "This game was taken back",
    "again.entry": "{entry} of {entries}",
    "again.save": "Save this picture",
    "again.saved": "Saved as {name}",
    "again.not-saved": "This browser can't make the picture",
    "again.play": "Play",
    "again.pause": "Pause",
    "again.first": "To the first entry",
    "again.before": "One entry back",
    "again.next": "One entry on",
    "again.last": "To the last entry",
    "again.mark-before": "The marked moment before",
    "again.mark-next": "The next marked moment",
    "again.slider": "Entry",
    "again.controls": "Look at the game again",
    "again.holds": "Shown: {tiles}",
    "again.no-tile": "no tile",
    "again.pips": "Shown: {pips} pips",
    "again.pip": "Shown: 1 pip",
    "again.keys": (
        "Arrow keys: one entry on or back. Up and down: the marked moments. Space: play, pause."
    ),
    "again.needs-scripts": "The game moves by JavaScript, which is switched off here.",
}
"""Words for the file's title and its controls."""

WATCHING_WORDS: Final[Mapping[str, str]] = {**MARKS, **AGAIN}
