"""The fixed words of the pages: those in their HTML, and those that their scripts say by
themselves.

A page's HTML names them as `{{label.scores}}` and is filled when it is served; its scripts say
`words("keying.shows", { tiles })` (web/static/words.js). So a page holds no sentence of its own,
and a language that translates the catalogue has translated the pages.
"""

from collections.abc import Mapping
from typing import Final

from companion.presentation.check_words import CHECK
from companion.presentation.flashed_words import FLASHED
from companion.presentation.panel_words import PANEL
from companion.presentation.photo_words import PHOTO

PAGES: Final = {
    "page.language": "en",
    "page.direction": "ltr",
    "page.table": "High Five table",
    "page.tv": "High Five table: TV",
    "page.box": "High Five table: the box",
    "page.overlay": "High Five table: over a stream",
    "page.scores": "{scores} – {title}",
    "page.at-table": "{table}: {title}",
    "page.turn": "Table {number} of {all}",
    "page.needs-scripts": "This page shows a live table, which needs JavaScript.",
    "page.needs-scripts-box": "This page shows a live display, which needs JavaScript.",
    "page.not-shown": "This moment can't be shown. The box goes on.",
}
"""Titles, and messages in place of a page that can't be shown."""

LINK: Final = {
    "link.connecting": "Connecting …",
    "link.lost": "Not connected. Trying again …",
    "link.lost-since": "Not connected since {time}. Trying again …",
    "link.out-of-date": (
        "This page has to be let in again. Scan the code, or type the digits that the box (MENU,"
        " Phones) or a phone at the table shows."
    ),
    "link.no-word": (
        "Scan the code that the box (MENU, Phones) or a phone at the table shows, or type its"
        " digits."
    ),
    "link.no-word-here": (
        "Open the link that was printed when the table was started, or the one that “companion"
        " link” prints. Or type the digits that the box (MENU, Phones) or a phone at the table"
        " shows."
    ),
    "link.wrong-digits": (
        "That code is wrong or too old. Look again at the phone: it changes every two minutes."
    ),
}
"""The state of the connection."""

DOOR: Final = {
    "door.come-in": "Come in",
    "door.digits": "Four digits",
    "door.tv-code": "A code that lets this TV in",
    "door.tv-scan": "Scan this with a phone at the table, or type the digits that it shows.",
    "door.let-tv-in": "Let the TV in? It only shows the table.",
    "door.let-in": "Let it in",
    "door.tv-in": "The TV is let in",
    "door.invite": "Let phones in",
    "door.code": "A code for {address}",
    "door.photograph": "Scan this with a phone on the same Wi-Fi, not its guest network. Or open",
    "door.type": "and type",
    "door.hold": "within two minutes. On a TV, add tv to the address.",
    "door.keep": "Keep this phone, for other evenings, too",
    "door.new-codes": "New codes",
    "door.new-codes-sure": (
        "All phones and TVs but this one have to be let in again. Make new codes?"
    ),
    "door.yes": "Yes, new codes",
    "door.no": "No",
}
"""Coming in, and letting others in."""

LABEL: Final = {
    "label.happened": "What happened",
    "label.scores": "Scores",
    "label.now": "Now",
    "label.count": "Count",
    "label.board": "On the table",
    "label.key": "Key",
    "label.bogus": "Bogus play",
    "claim.then": "The line as it was then",
    "label.paid": "Last payment",
    "due.title": "Now move these chips",
    "due.done": "Moved",
    "label.latest": "Latest",
    "label.latest-entries": "Latest entries",
    "label.hand": "Hand {hand}",
    "label.paid-for": "For {why}",
    "label.other-pages": "Other pages",
    "label.to-table": "The table",
    "label.to-box": "The box and its keys",
    "label.to-tv": "For a TV",
    "label.to-past": "Evenings and players",
    "label.box": "The box",
    "label.views": "More about the game",
    "label.phones": "Phones",
    "label.language": "Language",
    "tv.scan": "Scan this to play:",
    "tv.own-wifi": "Join this Wi-Fi, then scan again:",
    "tv.waiting": "Waiting for the table",
}
"""Names of the parts of a page."""

WELCOME: Final = {
    "welcome.title": "No game yet",
    "welcome.begin": "Start one here or on the box: everybody sees the score.",
    "welcome.begin-tv": "Start one on a phone or on the box: the score appears here.",
    "welcome.open-box": "Open the box",
}
"""Before the first game."""

EXAMPLE: Final = {
    "welcome.no-dominoes": "No dominoes at hand? Watch how an evening goes.",
    "welcome.watch": "Watch an evening",
    "example.title": "Example",
    "example.said": "A demo that plays itself. Nothing of it is recorded.",
    "example.leave": "Stop the demo",
}
"""The demo: an evening that plays itself."""

ROLE: Final = {
    "role.page": "This page",
    "role.watcher": "Only watch",
    "role.scorekeeper": "Scorekeeper",
    "role.seat": "I am {seat}",
    "coming.who": "Who are you?",
    "coming.watch": "Just watch",
    "coming.taken": "has a phone already",
    "role.take-over": "Take the seat over",
}
"""Choosing whose page it is: a seat's, the scorekeeper's or a watcher's."""

HISTORY: Final = {
    "history.entry": "The entry, as the tally writes it",
    "history.other-tile": "Another tile",
    "history.other-seat": "It was {seat}'s",
    "history.forgotten": "{seat} drew before this",
    "history.as-text": "Advanced: as text",
    "history.change": "Make this change",
    "history.insert": "Put this before it",
    "history.delete": "Delete it",
    "history.rewind": "Take back from here on",
    "history.deletes": "Delete “{entry}”",
}
"""Changes of an earlier entry."""

STAR: Final = {
    "star.remember": "Remember this",
    "star.remember-entry": "Remember this: {entry}",
    "star.remembered": "remembered",
    "star.title": "To be remembered",
    "star.hand": "Hand {hand}",
    "star.game": "Game {game}, hand {hand}",
}
"""Entries marked to be remembered."""

ALOUD: Final = {
    "aloud.say": "Say it aloud",
    "aloud.level": "What is said aloud",
    "aloud.counts": "Counts and payments",
    "aloud.everything": "Everything",
    "aloud.ends": "Say the ends",
    "aloud.scores": "Say the scores",
    "aloud.since": "Say what I missed",
    "aloud.last": "Say the last lay",
    "aloud.lie": "Say how many have {number}",
    "aloud.none": "No voice: neither this browser nor the box has one in this language",
}
"""A voice for the table."""

MOMENTS: Final = {
    "moments.sound": "Sound on my turn",
    "moments.less-motion": "Less motion",
}
"""How a page calls attention: sound and motion."""

BOX: Final = {
    "box.display": "The box's display",
    "box.says": "What the display says",
    "box.keys": "Keys",
    "box.keyboard": "On a keyboard",
    "box.digits": "digits",
    "box.back": "BACK; two seconds lock the keys",
    "box.number-pad": "DRAW, PASS, BOGUS, MENU and BACK on a number pad",
    "box.joystick": "the joystick that some boards have",
}
"""The box's display and keys on the page."""

KEYING: Final = {
    "keying.who": "Who lays it?",
    "keying.whose": "Whose?",
    "keying.number": "How many?",
    "keying.row": "Which row?",
    "keying.tile": "Which tile?",
    "keying.which-half": "One half of it?",
    "keying.half": "{half}: {stands}",
    "keying.by-cards": "The row by its five cards:",
    "keying.suit": "Which suit?",
    "keying.card": "Which cards?",
    "keying.so-far": "So far",
    "keying.collected": "{what}: {tiles}",
    "keying.none": "{what}: none",
    "keying.so-many": "{what}: {number} of {most}",
    "keying.turn-over": "{tile}, turn it over",
    "keying.take-off": "{tile}, take it off again",
    "keying.skip": "Skip",
    "keying.left-to-right": "From left to right: tap a column to turn it over",
    "keying.others": "others",
    "keying.or": "Or",
    "keying.so": "Is this right?",
    "keying.back": "Back",
    "keying.else": "More ways",
    "keying.again": "Play again",
    "keying.undo": "Undo",
    "keying.for-other": "Key for {seat}",
    "keying.bogus": "BOGUS",
    "keying.who-calls": "Who calls whom?",
    "keying.no-call": "Nobody else has drawn or passed in this hand",
    "keying.your-turn": "Your turn, {seat}",
    "keying.you-lead": "You lead, {seat}",
    "keying.deal-you-lead": "Deal the next hand: you lead",
    "keying.you-show": "Key what you hold, {seat}",
    "keying.you-are-called": "You are called bogus: key what you hold",
    "keying.you-are-bogus": "Bogus: how many pips do you hold?",
    "keying.you-won": "You won, {seat}",
    "keying.you-pay": "You pay {to} {points}",
    "keying.pays-you": "{payer} pays you {points}",
    "keying.you-pay-rest": "You pay {to} {points}: all that was left",
    "keying.pays-you-rest": "{payer} pays you {points}: all that was left",
    "keying.by-what": "How you key it",
    "keying.digits": "Digits",
    "keying.enter": "Enter",
    "keying.more": "More",
    "keying.take-back": "Take back: {change}",
    "keying.just-changed": "That had just changed: tap again",
    "keying.one-moment": "One moment: tap again",
    "keying.no-link": "No connection: tap again once it is back",
    "keying.held": "No connection: {what} stays chosen until it is back",
    "keying.not-sent": "The connection was lost: what you tapped last was not sent",
    "keying.no-longer": "“{what}” did not count: the table has moved on",
    "keying.asked": "Do you agree?",
    "keying.agree": "Agree",
    "keying.disagree": "No",
    "keying.draws": "{seat} draws {number}",
    "keying.draw-key": "{what} {number}",
    "keying.all-drawn": "{seat} draws {number}: no more are left, as far as we have counted",
    "keying.none-left": "No tile is left to draw, as far as we have counted: OK if there is",
    "keying.do-again": "Redo: {change}",
    "card.s": "spades",
    "card.h": "hearts",
    "card.c": "clubs",
    "card.d": "diamonds",
    "card.joker": "a joker",
    "card.named": "{value} of {suit}",
}
"""Keying on the table's page."""

PAGE_WORDS: Final[Mapping[str, str]] = {
    **PAGES,
    **LINK,
    **DOOR,
    **LABEL,
    **WELCOME,
    **PANEL,
    **EXAMPLE,
    **ROLE,
    **HISTORY,
    **STAR,
    **ALOUD,
    **MOMENTS,
    **BOX,
    **KEYING,
    **PHOTO,
    **FLASHED,
    **CHECK,
}
