"""All sentences about a moment, as templates under their keys. They are formatted only here.

A sentence as JSON has its words, and also its key and the parts that were filled in. So a page can
emphasise a part, and another language can use its own template for the key."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.words import AND, AsWritten, Sentence, listed
from companion.games.entries import (
    GameEnded,
    HandBlocked,
    HandDealt,
    HoldingShown,
    PipsShown,
    TotalPipsShown,
    TurnPassed,
    WentOut,
)
from companion.games.game import AnyGame, AnyState, Entry
from companion.presentation.page_words import PAGE_WORDS

if TYPE_CHECKING:
    pass


# ---------------------------------------------------------------- keying words
# The words for entering and changing entries: what can be entered, its effect, the table's answer,
# who did what, and the house rules.


CHANGE_EFFECTS: Final = {
    "change": "{text}",
    "change.lost": "“{entry}” is no longer possible: {why}",
    "change.lost-more": "“{entry}” is no longer possible, and {number} entries are lost: {why}",
    "change.verdict": "“{call}”: now {now}, was {was}",
    "change.taken-back": "{number} entries are taken back",
    "change.taken-back-one": "1 entry is taken back",
    "change.wins": "Then the game is won by {seats}",
    "change.nobody-wins": "Then nobody has won",
    "change.reopens": "This hand is over: this reopens it",
    "change.turns-on": "Move the later turns on by one seat",
    "change.turns-on-some": "Move the later turns on by {seats} seats",
    "change.turns-back": "Move the later turns back by one seat",
    "change.turns-back-some": "Move the later turns back by {seats} seats",
    "change.turns-stay": "The later turns stay",
    "change.turns-hold": "all kept",
    "change.turns-lost": "{number} lost",
}
"""The effect of undo, redo and other changes."""

KEY: Final = {
    "key.out": "{seat} is out",
    "key.out-early": "{seat} is out",
    "key.out-first": "{seat} is out first",
    "key.ends-now": "The open ends now, an exposed double twice",
    "key.forgot-draw": "{seat} drew: it was forgotten",
    "key.draw": "Draw",
    "key.draw-of": "{seat} draws",
    "key.pass": "Pass",
    "key.pass-of": "{seat} passes",
    "key.return": "Tile goes back",
    "key.redeal": "Nobody holds a double",
    "key.blocked": "Nobody can play",
    "key.misdraw": "{seat} drew the wrong number",
    "key.called": "{seat} called the count",
    "key.not-called": "{seat} didn't call it: not scored",
    "key.muggins": "Muggins: {seat} scores it",
    "key.wrong-count": "{seat} has the wrong number of tiles",
    "key.time-up": "The time is up",
    "key.deal": "The tiles are dealt",
    "key.deal-lead": "Dealt: {seat} leads",
    "key.next-hand": "The next hand is dealt",
    "key.bogus": "{by} calls {seat} bogus",
    "key.rule-bogus": "The table rules: bogus",
    "key.rule-clear": "The table rules: clear",
    "key.one-tile": "No row: one tile",
    "key.one-tile-of": "{seat}: no row, one tile",
    "key.finish": "All tiles are laid",
    "key.left-uncounted": "What is left was not counted",
    "key.row-worth": "{row}: {points}",
    "key.ends": "the open ends",
    "key.count": "the count",
    "key.score": "points scored, no tiles",
    "key.way-scores": "Scores only",
    "key.way-tiles": "Key tiles again",
    "key.pips": "the pips left in hand",
    "key.pips-together": "all pips left, together",
    "key.points": "the points won",
    "key.left": "the points left there",
    "key.shows": "Shows",
    "key.turned-up": "Face up",
    "key.basement": "The basement",
    "key.row": "The row",
    "key.ask-turned-up": "Key the {number} face-up tiles",
    "key.ask-basement": "Key the {number} basement tiles",
    "key.ask-score": "Who scored, and how much?",
    "key.ask-points": "How many points were won?",
    "key.ask-left": "How many points are left there?",
    "key.ask-together": "How many pips are left in all?",
}
"""Labels of entries that take one tap, and of the tiles and numbers to enter."""

TILE_STATE_WORDS: Final = {
    "stands.laid": "is on the table",
    "stands.fits": "fits",
    "stands.captures": "captures something",
    "stands.shown": "may be shown",
    "stands.free": "may be laid",
    "stands.apart": "fits nowhere",
}
"""The words for the states of a tile (`AskedNow.tiles` in keys.py)."""

OFFER: Final = {
    "offer.anyway": "It is on the table anyway",
    "offer.end": "On which end?",
    "offer.tile-back": "Which tile goes back?",
    "offer.tile": "{tile}",
    "offer.go": "Which turn?",
    "offer.go-of": "{which} turn: {did}",
    "offer.no-go": "One that was not entered",
    "offer.left": "left: {count}",
    "offer.right": "right: {count}",
    "offer.up": "up: {count}",
    "offer.down": "down: {count}",
    "offer.ends": "ends {ends}: {count}",
    "offer.ends-alone": "ends {ends}",
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
"""Questions about the open parts of an entry, and the answers to choose from."""

AGREE: Final = {
    "agree.clear": "{by} asks: is {seat} clear?",
    "agree.bogus": "{by} asks: did {seat} make a bogus play?",
    "agree.back": "{by} asks: take back the ruling on {seat}?",
}
"""Rulings that another phone has to agree to."""

NEWS: Final = {
    "by.club": "The club",
    "by.judge": "Judge {name}",
    "by.box": "The box",
    "by.phone": "{seat}'s phone",
    "by.a-phone": "A phone",
    "by.scorekeeper": "The scorekeeper",
    "by.keypad": "{seat}'s keypad",
    "by.a-keypad": "A keypad",
    "by.agreed": "{by}, and {seats} agrees",
    "by.several-agreed": "{by}, and {seats} agree",
    "by.one-phone": "By one phone",
    "by.one-keypad": "By one keypad",
    "by.at-the-box": "Somebody at the box",
    "by.for": "{by} for {seat}",
    "news.entered": "{by}: {what}",
    "news.taken-back": "{by} takes back {what}",
    "news.again": "{by} redoes {what}",
    "news.game": "{by} begins a new game",
    "news.resumed": "{by} resumes an earlier game",
    "news.setting": "{by} changes a setting",
    "news.taken-over": "A phone has just taken {seat}'s seat",
    "news.people": "{by}: {seats} sit here, in this game",
    "news.renamed": "{by}: {name} is now called {to}",
    "news.not-renamed": "{by}: {name} keeps that name",
}
"""News: the last change, and its author."""

ANSWER: Final = {
    "answer.counted": "Saved",
    "answer.look-again": "{entries}: look again",
    "answer.look-again-changed": "The table has moved on: look again",
    "answer.again": "Again? {news}",
    "answer.not-drawn": "The box's display has no {signs}: it shows ? there.",
    "answer.refused": "{why}",
    "answer.not-counted": "Your last entry did not count",
    "answer.not-known": "Can't check whether that was saved: {why}",
    "answer.not-yours": "{seat} keys that: this phone is {own}'s",
    "answer.asked": "{seats} is asked to agree on another phone",
    "answer.several-asked": "{seats} are asked to agree: one of them is enough",
    "answer.all-agreed": "All agreed? Then OK",
    "answer.not-agreed": "{seat} doesn't agree",
    "answer.nobody-agreed": "Nobody has answered. Ask again, or rule at the box",
    "answer.not-asked": "That question is closed: look again",
    "answer.seat-taken": "{seat} already has a phone",
    "answer.taken-over": "Another phone is {seat}'s now",
    "answer.asleep": ("{seat}'s phone is not connected: wake it, or key that at the box, together"),
    "answer.new-at-seat": "{seat} has just changed phones: key that at the box, together",
    "answer.only-watching": "This page only watches",
    "answer.changed": "a change",
    "answer.not-opened": "The page can't be opened to the network ({reason}).",
    "answer.on-box": "Key that on the box",
}
"""Answers to an entry that a page proposes."""

CHIPS: Final = {
    "chips.held": "{colour} {points}: {pieces}",
    "chips.none": "none of {colour}",
    "chips.audit-agrees": "Counted {counted}, as the record says",
    "chips.audit-differs": "Counted {counted}, but the record said {recorded}",
    "race.title": "The race",
    "race.says": "Points at the end: {scores}",
}
"""Each seat's chips, and the race."""

HOUSE: Final = {
    "house.begins": "{game}, clockwise: {seats}",
    "house.begins-counter-clockwise": "{game}, counter-clockwise: {seats}",
    "house.pays": "{seat} scores: {payer} pays",
    "house.colour": "{seat} has the {colour} chips",
    "house.rule": "{rule}",
    "house.resumes": "Game {number} goes on",
    "house.scores": (
        "From now on only scores are keyed: who scored, and how much. "
        "There is no line to see, and no bogus play can be proven."
    ),
    "house.tiles": "Tiles are keyed again; a hand that was begun by scores ends by scores.",
    "house.set": "{name}: {value}",
    "house.alike": "{one} and {other}: are they one person? OK if they are two",
    "house.renames": "{name}'s games count as {to}'s. No game is changed",
    "house.renames-back": "{name}'s games count as {name}'s again",
    "house.named": "Game {number} is called {name}",
    "house.unnamed": "Game {number} no longer has a name",
    "games.begun": "begun on {day}",
    "games.begun-unknown": "date unknown",
}
"""The agreements of the table (house_rule_words.py)."""

ABOUT: Final = {
    "about.high-five": "Make the open ends add up to a five: you are paid at once, in chips.",
    "about.five-up": "Fives like High Five, but points are written down. First to 250.",
    "about.all-fives": "Muggins, as clubs play it: alone or two against two.",
    "about.fives-and-threes": "The pub game: threes count as well as fives, up to 61.",
    "about.domino": "Block dominoes in pairs: be out first, and score what the others hold.",
    "about.high-fives": "David Galt's game with double-fifteen tiles: take pairs that make fives.",
    "about.highrise": "Build upwards: the higher a tile lies, the more it is worth.",
    "about.high-five-tiles": "Card tiles on a board: rows of five score as in poker.",
}
"""A line about each game, for choosing one."""

KEYING_WORDS: Final[Mapping[str, str]] = {
    **CHANGE_EFFECTS,
    **KEY,
    **TILE_STATE_WORDS,
    **OFFER,
    **AGREE,
    **NEWS,
    **ANSWER,
    **CHIPS,
    **HOUSE,
    **ABOUT,
}


# ---------------------------------------------------------------- moment words
# The words about a game: what happened and why, who pays whom, what is asked, a dispute.


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
    "entry.returns": "{seat} returns a tile drawn by mistake",
    "entry.returns-tile": "{seat} returns {tile}, drawn by mistake",
    "entry.misdraws": "{seat} drew the wrong number of tiles",
    "entry.calls-count": "{seat} has called the count",
    "entry.not-called": "{seat} didn't call the count in time",
    "entry.muggins": "Muggins: {seat} called it first",
    "entry.wrong-count": "{seat} had the wrong number of tiles",
    "entry.time-up": "The time is up: this hand is the last",
    "entry.out": "{seat} is out",
    "entry.blocked": "Nobody can play: the hand is blocked",
    "entry.shows": "{seat} shows {tiles}",
    "entry.shows-none": "{seat} has no tiles left",
    "entry.shows-pip": "{seat} shows 1 pip",
    "entry.shows-pips": "{seat} shows {pips} pips",
    "entry.pips-together": "{pips} pips are left in all",
    "entry.shows-hidden": "{seat} has shown tiles",
    "entry.calls": "{by} calls {seat} bogus",
    "entry.called": "{seat} is called bogus",
    "entry.rules-bogus": "The table rules: {seat} made a bogus play",
    "entry.rules-clear": "The table rules: {seat} is clear",
    "entry.corrects": "{seat}'s chips corrected by {points}: {reason}",
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
"""The reason for an entry's points."""

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

PAYMENT_REASON: Final = {
    "for.count": "the count",
    "for.out": "going out",
    "for.blocked": "the block",
    "for.capicua": "capicúa",
    "for.passes": "passes",
    "for.bogus": "a bogus play",
    "for.misdraw": "a misdraw",
    "for.wrong-call": "a wrong call",
    "for.correction": "a correction",
    "for.not-called": "a count that was not called",
    "for.muggins": "muggins",
    "for.wrong-count": "the wrong number of tiles",
    "for.capture": "captured tiles",
    "for.lay": "the play",
    "for.row": "the row",
}
"""The reason for a payment."""

HIGHLIGHTS: Final = {
    "highlight.best-count-tonight": "Best count tonight: {points}",
    "highlight.best-play-tonight": "Best play tonight: {points} points",
    "highlight.best-hand-tonight": "Biggest hand tonight: {points} points",
    "highlight.best-count-game": "Best count of the game: {points}",
    "highlight.best-play-game": "Best play of the game: {points} points",
    "highlight.best-hand-game": "Biggest hand of the game: {points} points",
    "highlight.streak": "{seat} has scored {number} times in a row",
    "highlight.hands": "{seats} has won {number} hands in a row",
    "highlight.hands-together": "{seats} have won {number} hands in a row",
    "highlight.takes-lead": "{seats} goes ahead",
    "highlight.takes-lead-together": "{seats} go ahead",
    "highlight.leads": "{seats} is ahead with {score}",
    "highlight.leads-together": "{seats} are ahead with {score}",
    "highlight.level": "{seats} are level with {score}",
}
"""Remarkable scores and streaks (highlights.py)."""

ASKED: Final = {
    "asks.game": "No game yet",
    "asks.deal": "Deal the next hand",
    "asks.deal-first": "Deal the first hand",
    "asks.deal-lead": "Deal the next hand: {seat} leads",
    "asks.highest-double": "The highest double leads",
    "asks.lead": "{seat} leads",
    "asks.lead-any": "The leader lays the first tile",
    "asks.turn": "{seat}'s turn",
    "asks.show": "What does {seat} hold?",
    "asks.claim": "{seat} is called bogus: what does {seat} hold?",
    "asks.holding": "Bogus: how many pips does {seat} have left?",
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
"""The entries that the record waits for."""

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
"""The progress of the game, and each seat's points, chips and tiles."""

NOTICE: Final = {
    "notice.count-doubtful": (
        "{seat}'s tiles don't add up: a draw is missing, or there is one too many"
    ),
    "notice.block-known": "no tile that is left fits: the hand is blocked",
    "notice.pass-with-boneyard": "tiles were left to draw: {boneyard}",
    "notice.bogus-proven": "proven now: {seat} made a bogus play on the {which} turn",
    "notice.contradiction": "contradiction: {text}",
    "notice.judged-otherwise": (
        "today {seat}'s {which} turn would be {verdict}: the ruling stands"
    ),
    "notice.judged-anew": (
        "judged again: {seat}'s {which} turn is {verdict}, and may be called again"
    ),
    "notice.nothing-provable": "nothing more can be proven about hand {hand} ({fault})",
    "notice.points-missing": (
        "the players' points and what is left should make 100: {points} are missing"
    ),
    "notice.audit-difference": "{seat} counted {counted}, the record says {recorded}",
}
"""Notices about doubtful or noteworthy things in the record."""

CLAIM: Final = {
    "claim": "{by} calls {seat} bogus: {which} turn, {doing}",
    "claim.turn-not-entered": "{by} calls {seat} bogus: a {doing}",
    "verdict.proven": "Proven",
    "verdict.possible": "Possible: the record leaves it open",
    "verdict.excluded": "Excluded",
    "ruling.bogus-record": "{seat} made a bogus play: the record proves it",
    "ruling.bogus-table": "{seat} made a bogus play: the table's ruling",
    "ruling.clear-record": "{seat} is clear: the record excludes it",
    "ruling.clear-table": "{seat} is clear: the table's ruling",
}
"""A dispute, and how it was closed."""

SPOKEN_MOMENT: Final = {
    "heard.moment": "{done}; {asked}",
    "heard.asked": "{asked}",
    "heard.count": "count {count}",
    "heard.aloud": "{said}",
}
"""A moment for people who listen to it (moment.py)."""

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
    "voice.lays": "{seat}, {tile}",
    "voice.lays-count": "{seat}, {tile}: {count}",
    "voice.count": "{count}",
    "voice.pays": "{payer} pays",
    "voice.scored": "scores {points}",
    "voice.no-key": "Here {pressed} does nothing",
}
"""Other sentences that the voice says by itself or as an answer."""

MOMENT_WORDS: Final[Mapping[str, str]] = {
    **ENTRY,
    **REASON,
    **PAYMENT,
    **PAYMENT_REASON,
    **HIGHLIGHTS,
    **ASKED,
    **STANDS,
    **NOTICE,
    **CLAIM,
    **SPOKEN_MOMENT,
    **VOICE,
    **COLOUR,
}


# ---------------------------------------------------------------- watching words
# The words of a game that is watched again, in the file that `companion export --html` writes. Its
# script gets them by `words("again.entry", { … })`.


MARKS: Final = {
    "mark.star": "Remembered by the table",
    "mark.count": "A big count: {count}",
    "mark.best": "{seat} scores {points}: the most so far",
    "mark.called": "{seat} is called bogus",
    "mark.ruling": "{said}",
    "mark.proven": "{said}",
    "mark.hand": "Hand {hand} ends",
    "mark.won": "{seats} won",
    "mark.won-shared": "{seats} won together",
    "mark.lost": "Entries are lost here: what follows is doubtful",
}
"""Words for the marked moments."""

REPLAY: Final = {
    "again.title": "{title}: {seats}",
    "again.game": "Game {number}",
    "again.date": "{date}",
    "again.no-date": "date unknown",
    "again.withdrawn": "This game was taken back",
    "again.entry": "{entry} of {entries}",
    "again.save": "Save this picture",
    "again.saved": "Saved as {name}",
    "again.not-saved": "This browser can't save the picture",
    "again.play": "Play",
    "again.pause": "Pause",
    "again.first": "To the first entry",
    "again.before": "One entry back",
    "again.next": "One entry forward",
    "again.last": "To the last entry",
    "again.mark-before": "Previous marked moment",
    "again.mark-next": "Next marked moment",
    "again.slider": "Entry",
    "again.controls": "Replay the game",
    "again.holds": "Shown: {tiles}",
    "again.no-tile": "no tile",
    "again.pips": "Shown: {pips} pips",
    "again.pip": "Shown: 1 pip",
    "again.keys": (
        "Arrow keys: one entry forward or back. Up and down: the marked moments. Space: "
        "play, pause."
    ),
    "again.needs-scripts": "Replaying a game needs JavaScript, which is switched off here.",
}
"""Words for the title and the controls of a saved replay."""

WATCHING_WORDS: Final[Mapping[str, str]] = {**MARKS, **REPLAY}


# ---------------------------------------------------------------- sayings

SHORT_FORMS: Final = {
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
    "short.count-called": "{seat} called it",
    "short.not-called": "{seat} didn't call it",
    "short.muggins": "Muggins: {seat}",
    "short.wrong-count": "{seat}: wrong number",
    "short.time-up": "Time is up",
    "short.showed-nothing": "{seat} showed",
    "short.showed": "{seat} showed {tiles}",
    "short.showed-pips": "{seat} showed pips {pips}",
    "short.pips-together": "{pips} pips in all",
    "short.pays": "{payer} pays {to}",
    "short.gives-back": "{to} gives back {payer}",
    "short.scores": "{to} scores",
    "short.loses": "{to} loses",
    "short.settled": "{who}: {pips} → {points}",
    "short.settled-in": "{who}: {pips} → {points} {colour}",
    "short.chips": "{over}",
    "short.chips-change": "{over} back {back}",
    "short.piece": "{value}",
    "short.pieces": "{number}×{value}",
    "short.count": "{tile}: {sum}",
    "short.count-terms": "{terms} = {count}",
    "short.count-one": "count {count}",
    "short.count-capped": "{reason}, only {points} left",
    "short.for": "{why}: {points}",
    "short.for-pips": "{why}: {pips} → {points}",
    "short.begins": "{seat} begins",
    "short.row": "{seat} {row}",
    "short.row-new": "{seat} {row}, {number} new",
    "short.one-tile": "{seat} one tile",
    "short.out": "{seat} is out",
    "short.finished": "All tiles are laid",
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
    "short.told": "entered",
    "short.lies": "Tableau: {tiles}, {points}",
    "short.lie": "Tableau: {tiles}, {points}",
    "short.not-won": "{points} of {worth} points not won yet",
    "short.missing": "{points} of {worth} missing",
    "short.too-many": "{points} of {worth} too many",
    "short.basement": "The basement",
    "short.lifted": "{seat} {text}, spacer",
    "short.blocked": "Nobody can play",
    "short.all-there": "All {worth} are there, {left} left",
}
"""Entries, payments and reasons, short enough for a display of 128 columns."""

SAYINGS: Final[Mapping[str, str]] = {
    **MOMENT_WORDS,
    **SHORT_FORMS,
    **KEYING_WORDS,
    **PAGE_WORDS,
    **WATCHING_WORDS,
}


class SeatsTogether(tuple[str, ...]):
    """Seats that are named together, with “and” before the last: “Anna, Ben and Cleo”."""

    __slots__ = ()


def say(key: str, **parts: object) -> Json:
    """Returns the sentence under a key of SAYINGS as JSON: `key`, `parts` and `words`. Raises
    KeyError if there is no such key, or a part of the template is missing."""
    return say_with_words(words_of(key, **parts), key, **parts)


def short(key: str, **parts: object) -> Sentence:
    """Returns the words of `say("short." + key, …)`, for a small display."""
    return words_of(f"short.{key}", **parts)


def words_of(key: str, **parts: object) -> Sentence:
    """Returns the words of `say(key, …)`."""
    read = {name: _part_for_people(part) for name, part in parts.items()}
    return Sentence.made(SAYINGS[key], read, key)


def say_with_words(words: str, key: str, **parts: object) -> Json:
    """Returns a sentence as JSON like `say`, but with these `words` in place of the formatted
    template."""
    plain_parts = {name: part_as_json(part) for name, part in parts.items()}
    return {"key": key, "parts": plain_parts, "words": words}


def fixed_words(english: Mapping[str, str], key: str) -> Sentence:
    """Returns the words under a key of the table `english`, whose templates have no parts."""
    return Sentence.made(english[key], {}, key)


def name_in_words(name: str) -> Sentence:
    """Returns a seat's name as a sentence, so that a language can replace it."""
    return Sentence.made("{name}", {"name": display_name(name)})


def part_in_words(part: object) -> str:
    """Returns a part of a sentence as people read it: names with a space for `_`, lists with
    commas, and SeatsTogether with “and” before the last seat."""
    read = _part_for_people(part)
    return read if isinstance(read, str) else str(read)


def _part_for_people(part: object) -> object:
    if isinstance(part, Sentence | AsWritten):
        return part
    if isinstance(part, str):
        return display_name(part)
    if isinstance(part, Iterable):
        return listed(
            map(_part_for_people, part), last=AND if isinstance(part, SeatsTogether) else None
        )
    return part


def part_as_json(part: object) -> Any:
    """Returns a part of a sentence for JSON: a tile as its text, a sequence as a list."""
    if isinstance(part, Enum):
        return part.value
    if part is None or isinstance(part, bool | int | str):
        return part
    return [part_as_json(one) for one in part] if isinstance(part, Iterable) else str(part)


# ---------------------------------------------------------------- sentences of several games


def describe_common_entry(entry: Entry) -> Json:
    """Returns the sentence for an entry that several games share; for any other entry, a sentence
    with its tally text."""
    match entry:
        case HandDealt(lead=None):
            return say("entry.dealt")
        case HandDealt():
            return say("entry.dealt-lead", seat=entry.lead)
        case TurnPassed():
            return say("entry.passes", seat=entry.seat)
        case WentOut():
            return say("entry.out", seat=entry.seat)
        case HandBlocked():
            return say("entry.blocked")
        case PipsShown():
            one = "entry.shows-pip" if entry.pips == 1 else "entry.shows-pips"
            return say(one, seat=entry.seat, pips=entry.pips)
        case HoldingShown(tiles=()):
            return say("entry.shows-none", seat=entry.seat)
        case HoldingShown():
            return say("entry.shows", seat=entry.seat, tiles=entry.tiles)
        case TotalPipsShown():
            return say("entry.pips-together", pips=entry.pips)
        case GameEnded(reason=""):
            return say("entry.ends")
        case GameEnded():
            return say("entry.ends-reason", reason=entry.reason)
    return say("entry.plain", text=str(entry))


def common_waits_for(game: AnyGame, state: AnyState, *, begun: bool) -> Json:
    """Returns the sentence about what the record waits for in any game. `begun`: whether a hand was
    dealt."""
    if not begun:
        return say("asks.deal-first")
    if lead := game.next_lead(state):
        return say("asks.deal-lead", seat=lead)
    if state.to_move:
        return say("asks.turn", seat=state.to_move)
    return say("asks.lead-any")


# ---------------------------------------------------------------- short words of several games


def without_seat(entry: Entry) -> str:
    """Returns an entry as in the tally, without the seat at its beginning."""
    text, seat = str(entry), entry.named_seat
    return text.removeprefix(f"{seat} ") if seat else text


def common_entry_in_short(entry: Entry) -> str:
    """Returns an entry of any game for a small display: the seat's name and the tally's text."""
    seat = entry.named_seat
    if seat is None:
        return short("plain", text=str(entry))
    return short("entry", seat=seat, text=without_seat(entry))


def number_in_short(number: int, of: str) -> str:
    """Returns “1 point” or “3 points”. `of`: the key of the singular, such as “point”."""
    return short(of if number == 1 else f"{of}s", number=number)
