"""Everything that is said of a moment, as templates under their keys; formatted here alone.

Whoever shows what is told has the words, and beside them the key and the parts that they were made
of: so a page can weigh a part, and another language finds its template under the same key.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from companion.seats import shown
from companion.telling.page_words import PAGE_WORDS
from companion.telling.watching_words import WATCHING_WORDS

Json = dict[str, Any]

ENTRY: Final = {
    "entry.plain": "{text}",
    "entry.dealt": "A hand is dealt",
    "entry.dealt-lead": "A hand is dealt: {seat} leads",
    "entry.dealt-again": "Nobody holds a double: dealt again",
    "entry.lays": "{seat} lays {tile}",
    "entry.lays-ends": "{seat} lays: the open ends are {ends}",
    "entry.lays-count": "{seat} lays: the count is {count}",
    "entry.draws": "{seat} draws",
    "entry.draws-some": "{seat} draws {number} tiles",
    "entry.passes": "{seat} passes",
    "entry.returns": "{seat} gives a tile back that was drawn by mistake",
    "entry.returns-tile": "{seat} gives {tile} back, drawn by mistake",
    "entry.misdraws": "{seat} drew the wrong number of tiles",
    "entry.out": "{seat} is out",
    "entry.blocked": "Nobody can play: the hand is blocked",
    "entry.shows": "{seat} shows {tiles}",
    "entry.shows-none": "{seat} holds no tile",
    "entry.shows-pip": "{seat} shows 1 pip",
    "entry.shows-pips": "{seat} shows {pips} pips",
    "entry.shows-hidden": "{seat} has shown its tiles",
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
    "entry.left": "In the tableau are left: {points}",
    "entry.left-uncounted": "What is left in the tableau was not counted",
    "entry.basement": "The basement: {tiles}",
    "entry.builds": "{seat} lays {tile} on level {level}",
    "entry.builds-spacer": "{seat} lays {tile} on level {level}, with a spacer",
    "entry.row": "{seat} lays a row: {row}",
    "entry.row-cards": "{seat} lays a row: {row}, {cards}",
    "entry.one-tile": "{seat} lays one tile",
    "entry.finished": "All have laid everything",
    "entry.ends": "The game ends unfinished",
    "entry.ends-reason": "The game ends unfinished: {reason}",
}
"""What people said happened."""

REASON: Final = {
    "reason.plain": "{text}",
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
    "asks.highest-double": "Who has the highest double leads it",
    "asks.lead": "{seat} leads",
    "asks.lead-any": "Somebody leads",
    "asks.turn": "{seat}'s turn",
    "asks.show": "What does {seat} hold?",
    "asks.claim": "{seat} is called bogus: what does {seat} hold?",
    "asks.holding": "Bogus: how many pips does {seat} hold?",
    "asks.left": "What is left in the tableau?",
    "asks.finished": "Have all laid everything?",
    "asks.over": "{seats} won",
    "asks.over-shared": "{seats} won together",
    "asks.ended": "The game has ended",
    "asks.withdrawn": "This game was taken back",
    "asks.tell": "The game goes on",
}
"""What the record waits for."""

STANDS: Final = {
    "where.start": "Before the first hand",
    "where.hand": "Hand {hand}",
    "where.boneyard": "Hand {hand}, {number} in the boneyard",
    "where.to-deal": "Hand {hand}, {number} tiles still to be dealt",
    "where.pile": "Hand {hand}, {number} tiles to draw",
    "where.supply": "{number} tiles to draw",
    "seat.to-win": "{points} to win",
    "seat.stock": "Stock {points}: {pieces}",
    "seat.stock-spent": "Stock spent",
    "seat.tiles": "{number} tiles",
    "seat.tile": "1 tile",
    "seat.no-tile": "no tile",
}
"""Where the hand and the seats stand."""

NOTICE: Final = {
    "notice.count-doubtful": "{seat}'s tiles don't add up: a draw may be missing",
    "notice.block-known": "no tile that is left fits: the hand is blocked",
    "notice.pass-with-boneyard": "{boneyard} tiles were left to draw",
    "notice.bogus-proven": "proven now: {seat} was bogus on turn {turn}",
    "notice.contradiction": "contradiction: {text}",
    "notice.judged-otherwise": ("today {seat}'s turn {turn} would be {verdict}: the ruling stands"),
    "notice.points-missing": (
        "the players' points and what is left should make 100: {points} are missing"
    ),
    "notice.audit-difference": "{seat} counted {counted}, the record says {recorded}",
}
"""What the record finds doubtful or worth telling."""

CLAIM: Final = {
    "claim": "{by} calls {seat} bogus: turn {turn}, {doing}",
    "verdict.proven": "Proven, if the entries are right",
    "verdict.possible": "Possible: the record leaves it open",
    "verdict.excluded": "Excluded, if the entries are right",
    "ruling.bogus-record": "{seat} was bogus: the record proves it",
    "ruling.bogus-table": "{seat} was bogus: the table rules so",
    "ruling.clear-record": "{seat} is clear: the record excludes it",
    "ruling.clear-table": "{seat} is clear: the table rules so",
}
"""A dispute, and how it was closed."""

SHORT: Final = {
    "short.plain": "{text}",
    "short.entry": "{seat} {text}",
    "short.called": "{seat} is called bogus",
    "short.calls": "{by} calls {seat} bogus",
    "short.bogus": "{seat} is bogus",
    "short.clear": "{seat} is clear",
    "short.returned": "{seat}'s tile went back",
    "short.returned-tile": "{seat}'s tile {tile} went back",
    "short.dealt": "The deal",
    "short.draws": "{seat} draws",
    "short.draws-some": "{seat} draws {number}",
    "short.passes": "{seat} passes",
    "short.misdraws": "{seat} misdraw: → {to} {points}",
    "short.showed-nothing": "{seat} showed",
    "short.showed": "{seat} showed {tiles}",
    "short.showed-pips": "{seat} showed pips {pips}",
    "short.pays": "{payer} pays {to}",
    "short.gives-back": "{to} gives back {payer}",
    "short.scores": "{to} scores",
    "short.settled": "{who}: {pips} → {points}",
    "short.settled-in": "{who}: {pips} → {points} {colour}",
    "short.chips": "{over}",
    "short.chips-change": "{over} back {back}",
    "short.piece": "{value}",
    "short.pieces": "{number}×{value}",
    "short.count": "{tile}: {sum}",
    "short.count-terms": "{terms} = {count}",
    "short.count-one": "count {count}",
    "short.count-capped": "{reason}, paid {points}",
    "short.for": "{why}: {points}",
    "short.for-pips": "{why}: {pips} → {points}",
    "short.begins": "{seat} begins",
    "short.row": "{seat} {row}",
    "short.row-new": "{seat} {row}, {number} new",
    "short.one-tile": "{seat} one tile",
    "short.out": "{seat} is out",
    "short.finished": "All have laid everything",
    "short.for-out": "out first: {points}",
    "short.tile": "1 tile",
    "short.tiles": "{number} tiles",
    "short.point": "1 point",
    "short.points": "{number} points",
    "short.pair": "1 pair",
    "short.pairs": "{number} pairs",
    "short.face-up": "{tiles} face up",
    "short.takes": "{seat} {tile} {takes}",
    "short.takes-pair": "{seat} {tile} {takes} + pair",
    "short.lays-pair": "{seat} {tile}, {pair}",
    "short.by-points": "{seat} by points",
    "short.left": "What is left",
    "short.told": "told",
    "short.lies": "{tiles} lies there: {points}",
    "short.lie": "{tiles} lie there: {points}",
    "short.not-won": "{points} of {worth} points not won yet",
    "short.missing": "{points} of {worth} missing",
    "short.too-many": "{points} of {worth} too many",
    "short.basement": "The basement",
    "short.lifted": "{seat} {text}, spacer",
    "short.blocked": "Nobody can play",
    "short.all-there": "All {worth} are there, {left} left",
}
"""Entries, payments and reasons in as few letters as a display of 128 columns needs."""

HEARD: Final = {
    "heard.moment": "{done}; {asked}",
    "heard.asked": "{asked}",
    "heard.count": "count {count}",
    "heard.aloud": "{said}",
}
"""A moment for those who hear it."""

CHANGE: Final = {
    "change": "{text}",
    "change.lost": "“{entry}” no longer holds: {why}",
    "change.lost-more": "“{entry}” no longer holds, and {number} entries go: {why}",
    "change.taken-back": "{number} entries are taken back",
    "change.taken-back-one": "1 entry is taken back",
    "change.wins": "Then the game is won by {seats}",
    "change.nobody-wins": "Then nobody has won",
    "change.turns-on": "Move the later turns on by one seat",
    "change.turns-on-some": "Move the later turns on by {seats} seats",
    "change.turns-back": "Move the later turns back by one seat",
    "change.turns-back-some": "Move the later turns back by {seats} seats",
    "change.turns-stay": "The later turns stay",
    "change.turns-hold": "all hold",
    "change.turns-lost": "{number} lost",
}
"""What undo, redo and other changes would change."""

KEY: Final = {
    "key.out": "{seat} is out",
    "key.out-early": "{seat} is out",
    "key.out-first": "{seat} is out first",
    "key.ends-now": "The open ends now, an exposed double twice",
    "key.forgot-draw": "{seat} drew, and it was forgotten",
    "key.draw": "Draw",
    "key.draw-of": "{seat} draws",
    "key.pass": "Pass",
    "key.pass-of": "{seat} passes",
    "key.return": "Tile goes back",
    "key.redeal": "Nobody holds a double",
    "key.blocked": "Nobody can play",
    "key.misdraw": "{seat} drew a wrong number",
    "key.deal": "The tiles are dealt",
    "key.deal-lead": "Dealt: {seat} leads",
    "key.next-hand": "The next hand is dealt",
    "key.bogus": "{by} calls {seat} bogus",
    "key.rule-bogus": "The table rules: bogus",
    "key.rule-clear": "The table rules: clear",
    "key.one-tile": "No row: one tile",
    "key.one-tile-of": "{seat}: no row, one tile",
    "key.finish": "All have laid everything",
    "key.left-uncounted": "What is left was not counted",
    "key.row-worth": "{row}: {points}",
    "key.ends": "the open ends",
    "key.count": "the count",
    "key.pips": "the pips held",
    "key.points": "the points won",
    "key.left": "the points left there",
    "key.shows": "Shows",
    "key.turned-up": "Face up",
    "key.basement": "The basement",
    "key.row": "The row",
    "key.ask-turned-up": "Which {number} tiles lie face up?",
    "key.ask-basement": "The basement, from left to right: tap a column to turn it over",
    "key.ask-points": "How many points were won?",
    "key.ask-left": "How many points are left there?",
}
"""What is keyed by one tap, and what tiles and numbers are keyed for."""

STANDS_SO: Final = {
    "stands.laid": "lies on the table",
    "stands.fits": "fits",
    "stands.captures": "captures something",
    "stands.shown": "may be shown",
    "stands.free": "may be laid",
    "stands.apart": "fits nowhere",
}
"""How a tile stands to what lies there."""

OFFER: Final = {
    "offer.anyway": "It lies there anyway",
    "offer.end": "On which end?",
    "offer.left": "left: {count}",
    "offer.right": "right: {count}",
    "offer.up": "up: {count}",
    "offer.down": "down: {count}",
    "offer.ends": "ends {ends}: {count}",
    "offer.takes": "{tile} takes",
    "offer.pair": "A pair, too?",
    "offer.worth": "{tiles}: {points}",
    "offer.nothing": "nothing",
    "offer.no-pair": "no pair",
    "offer.where": "Where?",
    "offer.place": "on {one} and {other}, level {level}: {points}",
    "offer.place-spacer": "on {one} and {other}, level {level}, spacer under {spacer}: {points}",
    "offer.covers": "What does it cover?",
    "offer.covered": "{one} and {other}",
    "offer.covered-one": "{half} and …",
    "offer.level": "On which level?",
    "offer.on-level": "level {level}",
    "offer.levels": "from level {first}",
    "offer.spacer": "A spacer?",
    "offer.spacer-under": "under {half}",
    "offer.no-spacer": "none",
    "offer.new": "How many tiles are new?",
    "offer.so-many": "{number}",
    "offer.uncounted": "nobody knows",
}
"""What is still open about an entry: the questions, and the answers to choose from."""

NEWS: Final = {
    "by.box": "The box",
    "by.phone": "{seat}'s phone",
    "by.a-phone": "A phone",
    "by.keypad": "{seat}'s keypad",
    "by.a-keypad": "A keypad",
    "by.for": "{by} for {seat}",
    "news.entered": "{by}: {what}",
    "news.taken-back": "{by} takes back {what}",
    "news.again": "{by} does {what} again",
    "news.game": "{by} begins a new game",
    "news.renamed": "{by}: {name} is called {to}",
    "news.not-renamed": "{by}: {name} keeps that name",
}
"""Who keyed what came last, and what it was."""

ANSWER: Final = {
    "answer.counted": "Counted, as row {row}",
    "answer.look-again": "{entries}: look again",
    "answer.look-again-changed": "The table has moved on: look again",
    "answer.again": "Again? {news}",
    "answer.refused": "{why}",
    "answer.not-counted": "Your last entry did not count",
    "answer.not-known": "Whether it counted can't be read now: {why}",
    "answer.not-yours": "{seat} keys that: this phone is {own}'s",
    "answer.seat-taken": "{seat} has a phone already",
    "answer.taken-over": "Another phone is {seat}'s now",
    "answer.only-watching": "This page only watches",
    "answer.changed": "a change",
    "answer.not-opened": "The page can't be opened to the network ({reason}).",
    "answer.on-box": "That is keyed on the box",
}
"""What becomes of what a page proposes."""

CHIPS: Final = {
    "chips.held": "{colour} {points}: {pieces}",
    "chips.none": "no {colour}",
    "chips.audit-agrees": "Counted {counted}, as the record says",
    "chips.audit-differs": "Counted {counted}, but the record said {recorded}",
    "race.title": "The race",
    "race.says": "Points at the end: {scores}",
}
"""What each seat holds, and how the points grew."""

HOUSE: Final = {
    "house.begins": "{game}, clockwise: {seats}",
    "house.pays": "{seat} scores: {payer} pays",
    "house.colour": "{seat} has the {colour} chips",
    "house.rule": "{rule}",
    "house.resumes": "Game {number} goes on",
    "house.set": "{name}: {value}",
    "house.renames": "What {name} played counts as {to}'s. No game is changed",
    "house.renames-back": "What {name} played counts as {name}'s again",
    "house.named": "Game {number} is called {name}",
    "house.unnamed": "Game {number} has no name any more",
    "games.begun": "begun on {day}",
    "games.begun-unknown": "date unknown",
}
"""What the table has agreed on."""

SAYINGS: Final[Mapping[str, str]] = {
    **ENTRY,
    **REASON,
    **PAYMENT,
    **FOR,
    **ASKED,
    **STANDS,
    **NOTICE,
    **CLAIM,
    **SHORT,
    **HEARD,
    **CHANGE,
    **KEY,
    **NEWS,
    **STANDS_SO,
    **OFFER,
    **ANSWER,
    **PAGE_WORDS,
    **CHIPS,
    **WATCHING_WORDS,
    **HOUSE,
}


def say(key: str, **parts: object) -> Json:
    """What is said under that key: `key`, the `parts` as JSON, and `words`. Raises KeyError where
    the catalogue lacks the key or its template a part."""
    template = SAYINGS[key]
    words = template.format_map({name: in_words(part) for name, part in parts.items()})
    return said_as(words, key, **parts)


def short(key: str, **parts: object) -> str:
    """The words of `say("short." + key, …)` alone, as a small display shows them."""
    return SHORT[f"short.{key}"].format_map({name: in_words(part) for name, part in parts.items()})


def said_as(words: str, key: str, **parts: object) -> Json:
    """The same where the words were made elsewhere."""
    told = {name: plain(part) for name, part in parts.items()}
    return {"key": key, "parts": told, "words": words}


def in_words(part: object) -> str:
    """A part as people read it: seats with a space for `_`, several with commas."""
    if isinstance(part, str):
        return shown(part)
    if isinstance(part, Iterable):
        return ", ".join(map(in_words, part))
    return str(part)


def plain(part: object) -> Any:
    """A part as JSON has it: tiles as their text, several as a list."""
    if isinstance(part, Enum):
        return part.value
    if part is None or isinstance(part, bool | int | str):
        return part
    return [plain(one) for one in part] if isinstance(part, Iterable) else str(part)
