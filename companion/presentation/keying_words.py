"""The words for keying and changing entries: what may be keyed, what it would do, how the table
answers, who did what, and which house rules are agreed on."""

from collections.abc import Mapping
from typing import Final

CHANGE: Final = {
    "change": "{text}",
    "change.lost": "“{entry}” is no longer possible: {why}",
    "change.lost-more": "“{entry}” is no longer possible, and {number} entries go: {why}",
    "change.verdict": "“{call}”: now {now}, was {was}",
    "change.taken-back": "{number} entries are taken back",
    "change.taken-back-one": "1 entry is taken back",
    "change.wins": "Then the game is won by {seats}",
    "change.nobody-wins": "Then nobody has won",
    "change.reopens": "This hand is over: with this it goes on",
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
    "key.forgot-draw": "{seat} drew: that was forgotten",
    "key.draw": "Draw",
    "key.draw-of": "{seat} draws",
    "key.pass": "Pass",
    "key.pass-of": "{seat} passes",
    "key.return": "Tile goes back",
    "key.redeal": "Nobody holds a double",
    "key.blocked": "Nobody can play",
    "key.misdraw": "{seat} drew a wrong number",
    "key.called": "{seat} called the count",
    "key.not-called": "{seat} didn't call it: not scored",
    "key.muggins": "Muggins: {seat} scores it",
    "key.wrong-count": "{seat} has a wrong number of tiles",
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
    "key.pips": "the pips held",
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
}
"""Labels of entries that take one tap, and of tiles and numbers that are asked for."""

STANDS_SO: Final = {
    "stands.laid": "is on the table",
    "stands.fits": "fits",
    "stands.captures": "captures something",
    "stands.shown": "may be shown",
    "stands.free": "may be laid",
    "stands.apart": "fits nowhere",
}
"""Whether a tile may be keyed now (`AskedNow.tiles` in keys.py)."""

OFFER: Final = {
    "offer.anyway": "It is on the table anyway",
    "offer.end": "On which end?",
    "offer.tile-back": "Which tile goes back?",
    "offer.tile": "{tile}",
    "offer.go": "Which go?",
    "offer.go-of": "{which} go: {did}",
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
"""Questions about what is still open in an entry, and the answers to choose from."""

AGREE: Final = {
    "agree.clear": "{by} asks: is {seat} clear?",
    "agree.bogus": "{by} asks: was {seat} bogus?",
    "agree.back": "{by} asks: take back the ruling on {seat}?",
}
"""Rulings that another phone is asked to agree to."""

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
    "news.resumed": "{by} goes on with an earlier game",
    "news.setting": "{by} changes a setting",
    "news.taken-over": "A phone has just taken {seat}'s seat",
    "news.people": "{by}: {seats} sit here, in this game",
    "news.renamed": "{by}: {name} is called {to}",
    "news.not-renamed": "{by}: {name} keeps that name",
}
"""News: the last change, and who made it."""

ANSWER: Final = {
    "answer.counted": "Saved",
    "answer.look-again": "{entries}: look again",
    "answer.look-again-changed": "The table has moved on: look again",
    "answer.again": "Again? {news}",
    "answer.not-drawn": "The box's display has no {signs}: it shows ? there.",
    "answer.refused": "{why}",
    "answer.not-counted": "Your last entry did not count",
    "answer.not-known": "Whether it was saved can't be read now: {why}",
    "answer.not-yours": "{seat} keys that: this phone is {own}'s",
    "answer.asked": "{seats} is asked to agree on another phone",
    "answer.several-asked": "{seats} are asked to agree: one of them is enough",
    "answer.all-agreed": "All agreed? Then OK",
    "answer.not-agreed": "{seat} doesn't agree",
    "answer.nobody-agreed": "Nobody has answered. Ask again, or rule at the box",
    "answer.not-asked": "That isn't asked any more: look again",
    "answer.seat-taken": "{seat} has a phone already",
    "answer.taken-over": "Another phone is {seat}'s now",
    "answer.asleep": ("{seat}'s phone is not connected: wake it, or key that at the box, together"),
    "answer.new-at-seat": "{seat} has just changed phones: key that at the box, together",
    "answer.only-watching": "This page only watches",
    "answer.changed": "a change",
    "answer.not-opened": "The page can't be opened to the network ({reason}).",
    "answer.on-box": "That is keyed on the box",
}
"""Answers to an entry that a page proposes."""

CHIPS: Final = {
    "chips.held": "{colour} {points}: {pieces}",
    "chips.none": "no {colour}",
    "chips.audit-agrees": "Counted {counted}, as the record says",
    "chips.audit-differs": "Counted {counted}, but the record said {recorded}",
    "race.title": "The race",
    "race.says": "Points at the end: {scores}",
}
"""Each seat's chips, and the race."""

HOUSE: Final = {
    "house.begins": "{game}, clockwise: {seats}",
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
    "house.renames": "What {name} played counts as {to}'s. No game is changed",
    "house.renames-back": "What {name} played counts as {name}'s again",
    "house.named": "Game {number} is called {name}",
    "house.unnamed": "Game {number} has no name any more",
    "games.begun": "begun on {day}",
    "games.begun-unknown": "date unknown",
}
"""The agreements of the table (house_rules.py)."""

KEYING_WORDS: Final[Mapping[str, str]] = {
    **CHANGE,
    **KEY,
    **STANDS_SO,
    **OFFER,
    **AGREE,
    **NEWS,
    **ANSWER,
    **CHIPS,
    **HOUSE,
}
