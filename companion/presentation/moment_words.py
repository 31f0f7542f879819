"""The words about a game: what happened and why, who pays whom, what is asked, a dispute."""

from collections.abc import Mapping
from typing import Final

ENTRY: Final = {
    "entry.plain": "{text}",
    "entry.dealt": "A hand is dealt",
    "entry.dealt-lead": "A hand is dealt: {seat} leads",
    "entry.dealt-again": "Nobody holds a double: dealt again",
    "entry.lays": "{seat} lays {tile}",
    "entry.lays-ends": "{seat} lays: the open ends are {ends}",
    "entry.lays-count": "{seat} lays: the count is {count}",
    "entry.scores": "{seat} scores {points}",
    "entry.draws": "{seat} draws",
    "entry.draws-some": "{seat} draws {number} tiles",
    "entry.passes": "{seat} passes",
    "entry.returns": "{seat} gives a tile back that was drawn by mistake",
    "entry.returns-tile": "{seat} gives {tile} back, drawn by mistake",
    "entry.misdraws": "{seat} drew the wrong number of tiles",
    "entry.calls-count": "{seat} has called the count",
    "entry.not-called": "{seat} didn't call the count in time",
    "entry.muggins": "Muggins: {seat} called it first",
    "entry.wrong-count": "{seat} had a wrong number of tiles",
    "entry.time-up": "The time is up: this hand is the last",
    "entry.out": "{seat} is out",
    "entry.blocked": "Nobody can play: the hand is blocked",
    "entry.shows": "{seat} shows {tiles}",
    "entry.shows-none": "{seat} holds no tile",
    "entry.shows-pip": "{seat} shows 1 pip",
    "entry.shows-pips": "{seat} shows {pips} pips",
    "entry.shows-hidden": "{seat} has shown tiles",
    "entry.calls": "{by} calls {seat} bogus",
    "entry.called": "{seat} is called bogus",
    "entry.rules-bogus": "The table rules: {seat} was bogus",
    "entry.rules-clear": "The table rules: {seat} is clear",
    "entry.corrects": "Chips of {seat} corrected by {points}: {reason}",
    "entry.counts-chips": "{seat}'s chips were counted: {points}",
    "entry.turned-up": "Turned up for the tableau: {tiles}",
    "entry.lays-takes": "{seat} lays {tile} and takes {takes}",
    "entry.lays-pair": "{seat} lays {tile}, and takes the pair {pair}",
    "entry.lays-takes-pair": "{seat} lays {tile}, takes {takes}, and the pair {pair}",
    "entry.points": "{seat} captures tiles worth {points}",
    "entry.left": "Left in the tableau: {points}",
    "entry.left-uncounted": "What is left in the tableau was not counted",
    "entry.basement": "The basement: {tiles}",
    "entry.builds": "{seat} lays {tile} on level {level}",
    "entry.builds-spacer": "{seat} lays {tile} on level {level}, with a spacer",
    "entry.row": "{seat} lays a row: {row}",
    "entry.row-cards": "{seat} lays a row: {row}, {cards}",
    "entry.one-tile": "{seat} lays one tile",
    "entry.finished": "All tiles are laid",
    "entry.ends": "The game ends unfinished",
    "entry.ends-reason": "The game ends unfinished: {reason}",
}
"""The entries."""

REASON: Final = {
    "reason.count": "{tile}: {terms} = {count}",
    "reason.count-plain": "{terms} = {count}",
    "reason.count-one": "count {count}",
    "reason.pip": "1 pip → {points}",
    "reason.pips": "{pips} pips → {points}",
    "reason.captured": "{tiles}",
    "reason.play": "{values} × {level} = {points}",
    "reason.row": "{row}: {points}",
}
"""Why an entry was worth what it was."""

PAYMENT: Final = {
    "pays": "{payer} pays {to} {points}",
    "pays.rest": "{payer} pays {to} {points}: all that was left",
    "pays.scores": "{to} scores {points}",
    "pays.loses": "{to} loses {points}",
    "pays.back": "{to} gives {payer} back {points}",
    "pays.chips": "{over}",
    "pays.chips-change": "{over}, back {back}",
}
"""Who pays whom, and in which chips."""

FOR: Final = {
    "for.count": "the count",
    "for.out": "going out",
    "for.blocked": "the block",
    "for.bogus": "a bogus play",
    "for.misdraw": "a misdraw",
    "for.wrong-call": "a wrong call",
    "for.correction": "a correction",
    "for.not-called": "a count that was not called",
    "for.muggins": "muggins",
    "for.wrong-count": "a wrong number of tiles",
    "for.capture": "captured tiles",
    "for.lay": "the lay",
    "for.row": "the row",
}
"""What a payment is for."""

ASKED: Final = {
    "asks.game": "No game yet",
    "asks.deal": "Deal the next hand",
    "asks.deal-first": "Deal the first hand",
    "asks.deal-lead": "Deal the next hand: {seat} leads",
    "asks.highest-double": "Whoever holds the highest double leads",
    "asks.lead": "{seat} leads",
    "asks.lead-any": "Whoever leads lays the first tile",
    "asks.turn": "{seat}'s turn",
    "asks.show": "What does {seat} hold?",
    "asks.claim": "{seat} is called bogus: what does {seat} hold?",
    "asks.holding": "Bogus: how many pips does {seat} hold?",
    "asks.left": "What is left in the tableau?",
    "asks.finished": "Are all tiles laid?",
    "asks.over": "{seats} won",
    "asks.over-shared": "{seats} won together",
    "asks.match-over": "{seats} won the match",
    "asks.match-level": "{seats} are level in the match: play on until one leads",
    "asks.ended": "The game has ended",
    "asks.withdrawn": "This game was taken back",
    "asks.tell": "Key what happens next",
    "asks.scores": "Who scores next, or is out?",
}
"""What the record waits for."""

STANDS: Final = {
    "where.start": "Before the first hand",
    "where.hand": "Hand {hand}",
    "where.boneyard": "Hand {hand}, {number} in the boneyard",
    "where.to-deal": "Hand {hand}, tiles still to be dealt: {number}",
    "where.pile": "Hand {hand}, tiles to draw: {number}",
    "where.pile-spacers": "Hand {hand}, tiles to draw: {number}, spacers left: {spacers}",
    "where.pile-spacer": "Hand {hand}, tiles to draw: {number}, 1 spacer left",
    "where.pile-no-spacer": "Hand {hand}, tiles to draw: {number}, no spacer left",
    "where.supply": "Tiles to draw: {number}",
    "match.game": "Match: game {number} of {of}",
    "match.next": "Game {number} of {of}",
    "match.extra-game": "Match: extra game {number}",
    "match.extra-next": "Extra game {number}",
    "seat.game-won": "1 game won",
    "seat.games-won": "{games} games won",
    "seat.to-win": "{points} to win",
    "seat.stock": "Stock {points}: {pieces}",
    "seat.stock-spent": "Stock spent",
    "seat.tiles": "{number} tiles",
    "seat.tile": "1 tile",
    "seat.no-tile": "no tile",
}
"""How far the game has come, and each seat's points, chips and tiles."""

NOTICE: Final = {
    "notice.count-doubtful": (
        "{seat}'s tiles don't add up: a draw is missing, or there is one too many"
    ),
    "notice.block-known": "no tile that is left fits: the hand is blocked",
    "notice.pass-with-boneyard": "tiles were left to draw: {boneyard}",
    "notice.bogus-proven": "proven now: {seat} was bogus on the {which} go",
    "notice.contradiction": "contradiction: {text}",
    "notice.judged-otherwise": ("today {seat}'s {which} go would be {verdict}: the ruling stands"),
    "notice.judged-anew": (
        "judged anew: {seat}'s {which} go is {verdict}, and may be called again"
    ),
    "notice.nothing-provable": "nothing more can be proven about hand {hand} ({fault})",
    "notice.points-missing": (
        "the players' points and what is left should make 100: {points} are missing"
    ),
    "notice.audit-difference": "{seat} counted {counted}, the record says {recorded}",
}
"""Notices: things that the record finds doubtful or worth telling."""

CLAIM: Final = {
    "claim": "{by} calls {seat} bogus: {which} go, {doing}",
    "claim.turn-not-entered": "{by} calls {seat} bogus: a {doing}",
    "verdict.proven": "Proven",
    "verdict.possible": "Possible: the record leaves it open",
    "verdict.excluded": "Excluded",
    "ruling.bogus-record": "{seat} was bogus: the record proves it",
    "ruling.bogus-table": "{seat} was bogus: the table's ruling",
    "ruling.clear-record": "{seat} is clear: the record excludes it",
    "ruling.clear-table": "{seat} is clear: the table's ruling",
}
"""A dispute, and how it was closed."""

HEARD: Final = {
    "heard.moment": "{done}; {asked}",
    "heard.asked": "{asked}",
    "heard.count": "count {count}",
    "heard.aloud": "{said}",
}
"""A moment for people who hear it (heard.py)."""

COLOUR: Final = {
    "colour.red": "Red",
    "colour.blue": "Blue",
    "colour.green": "Green",
    "colour.yellow": "Yellow",
    "colour.black": "Black",
    "colour.white": "White",
    "colour.orange": "Orange",
    "colour.pink": "Pink",
}
"""The names of colours, for chips and for seats without a name."""

VOICE: Final = {
    "voice.game": "The game is {game}",
    "voice.scores": "{scores}",
    "voice.score": "{seat}: {score}",
    "voice.ends": "{ends}",
    "voice.ends-count": "{ends}; count {count}",
    "voice.left": "left {pips}",
    "voice.right": "right {pips}",
    "voice.up": "up {pips}",
    "voice.down": "down {pips}",
    "voice.no-ends": "No ends are open",
    "voice.lie": "{number} tiles with {pips} are on the table",
    "voice.lies-one": "1 tile with {pips} is on the table",
    "voice.lie-none": "No tile with {pips} is on the table",
    "voice.lie-at-least": "At least {number} with {pips} are on the table",
    "voice.nothing-since": "Nothing since your last turn",
    "voice.nothing-laid": "Nothing is laid yet",
    "voice.ordinal-1": "first",
    "voice.ordinal-2": "second",
    "voice.ordinal-3": "third",
    "voice.ordinal-4": "fourth",
    "voice.ordinal-5": "fifth",
    "voice.ordinal-6": "sixth",
    "voice.ordinal-7": "seventh",
    "voice.ordinal-8": "eighth",
    "voice.ordinal-9": "ninth",
    "voice.ordinal-10": "tenth",
    "voice.no-key": "Here {pressed} does nothing",
}
"""Other sentences of the voice, said by itself or when asked."""

MOMENT_WORDS: Final[Mapping[str, str]] = {
    **ENTRY,
    **REASON,
    **PAYMENT,
    **FOR,
    **ASKED,
    **STANDS,
    **NOTICE,
    **CLAIM,
    **HEARD,
    **VOICE,
    **COLOUR,
}
