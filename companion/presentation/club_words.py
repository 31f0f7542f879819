"""The fixed words of the pages of a club's hub (club/hub/pages.py): its own, and words of a table's
pages that differ there.
"""

from collections.abc import Mapping
from typing import Final

from companion.presentation.event_words import EVENT_WORDS
from companion.presentation.page_words import PAGE_WORDS

AT_A_HUB: Final = {
    "page.not-shown": "This can't be shown here. The game goes on at its table.",
    "link.no-word": "Scan the code that the organiser shows, or type the word of sixteen letters.",
    "link.out-of-date": ("This page's access code has expired. Ask the organiser for the new one."),
    "link.wrong-digits": (
        "That is not a word of this club. It has sixteen letters and digits from 2 to 7."
    ),
    "door.digits": "The word",
    "label.to-box": "All tables",
    "label.to-tv": "This table on a TV",
    "welcome.title": "No game here yet",
    "welcome.begin": "The next game at this table will appear here.",
    "welcome.title-tv": "No game here yet",
    "welcome.begin-tv": "The next game at a table of the club will appear here.",
}
"""Words of a table's pages as a hub says them."""

CLUB: Final = {
    "club.tables": "Tables",
    "club.none": "No table has joined yet",
    "club.join": "At a table’s box choose MENU, then Club. The organiser says yes to it here.",
    "club.to-all": "All tables",
    "club.to-organiser": "For the organiser",
    "club.to-tv": "For a TV",
    "club.games-of": "Games",
    "club.older": "Older games",
    "club.no-day": "On a day that is not known",
    "club.no-games": "No game of this table is open to the club.",
    "club.no-game": "no game yet",
    "club.over": "The game is over",
    "club.now": "just now",
    "club.seconds": "{number} s ago",
    "club.minutes": "{number} min ago",
    "club.hours": "{number} h ago",
    "club.days": "{number} days ago",
    "club.unheard-seconds": "not heard for {number} s",
    "club.unheard-minutes": "not heard for {number} min",
    "club.unheard-hours": "not heard for {number} h",
    "club.unheard-ever": "never connected",
    "club.newer": "needs a newer hub",
    "club.wait-newer": (
        "This table has a newer program. Its game is kept; to be shown it needs a newer hub."
    ),
    "club.no-box": "There is no such table in this club.",
    "club.sealed": "Sealed by its box",
    "club.unsealed": (
        "Sealed by its box up to row {row}. Not shown: {many} that came without its seal."
    ),
    "club.no-rows": "Nothing sealed has come from its box yet.",
    "club.fault": "can’t be shown",
    "club.forked": "two records: the organiser has to choose",
    "club.judge": "waits for a judge",
    "club.attention": "Look here:",
    "club.not-organiser": "This page is the organiser’s. Its word lets you in.",
    "club.asking": "Asking to join",
    "club.asking-none": "Nobody asks to join now.",
    "club.compare": "Compare these digits with those on the box, then say yes.",
    "club.as-club": "as a club, with the tables of its own boxes",
    "club.as-box": "as a box",
    "club.as-either": "running version 0.3, which doesn’t say as what",
    "club.compare-club": "Compare these digits with those at the club’s hub, then say yes.",
    "club.accept": "Yes, the same",
    "club.accept-club": "Yes, accept it as a club",
    "club.accept-box": "Yes, accept it as a box",
    "club.decline": "No",
    "club.members": "Boxes",
    "club.members-none": "No box is a member yet.",
    "club.connected": "connected",
    "club.is-club": "a club",
    "club.left": "has left",
    "club.call": "Name and number",
    "club.box-name": "Name of the box",
    "club.away": "was thrown out",
    "club.retire": "Retire",
    "club.retire-sure": "Retire {name}? It will no longer be a member; its results stay.",
    "club.throw-out": "Throw out",
    "club.throw-out-sure": (
        "Throw {name} out? The results that it has sealed itself stay; everything else that came"
        " through it disappears from all pages."
    ),
    "club.yes": "Yes",
    "club.no": "No",
    "club.forks": "Two records of one table",
    "club.forks-said": (
        "A card that was restored from an old copy does this, or a copied card in a second box."
        " Choose the one that goes on. The other one is kept, and its box joins anew."
    ),
    "club.course": "Record {number}",
    "club.course-rows": "{rows} rows, the newest {ago}",
    "club.course-from": "on its own from row {row}",
    "club.course-game": "Game {number}: {title}, {seats}",
    "club.choose": "Go on with this one",
    "club.choose-sure": "Go on with record {number} of {name}, and put the other one aside?",
    "club.opened": "Tables without a box",
    "club.opened-said": (
        "Phones are enough: open a table here, and its players scan its code to key what they lay."
    ),
    "club.open-table": "Open a table here",
    "club.starting": "starting …",
    "club.key-here": "Key on this screen",
    "club.close-table": "Close this table",
    "club.close-table-sure": "Close {name}? Its games stay here.",
    "club.people": "People",
    "club.people-said": (
        "A name is one person at all tables. Two spellings are made one here, and who wants to be"
        " seen nowhere is hidden. No game is changed, and the last of it can be taken back."
    ),
    "club.person": "The name",
    "club.counts-as": "counts as",
    "club.make-one": "Merge",
    "club.hide": "Hide this name",
    "club.counts": "{name} counts as {to}",
    "club.is-hidden": "{name} is not shown",
    "club.take-back": "Take the last one back",
    "club.codes": "Let people in",
    "club.viewer": "To watch",
    "club.viewer-said": "Sees every table. For players and guests.",
    "club.judge-code": "For a judge",
    "club.judge-said": "For this evening: this word ends with it.",
    "club.tv-said": "On a TV open",
    "club.code-of": "A code for {address}",
    "club.new-codes": "New words for all",
    "club.new-codes-sure": (
        "All phones and TVs but this page have to be let in again. Make new words?"
    ),
    "club.limits": "At a limit",
    "club.limits-said": "They have to wait; nobody else does.",
    "club.remarks": "What has happened",
    "club.remarks-none": "Nothing yet.",
    "club.closed": (
        "Games are for people of the club. Come in by the word at the page of all tables first."
    ),
    "club.to-events": "Events",
    "club.no-paper": "There is nothing to print yet.",
    "club.paper-closed": (
        "What is printed is for people of the club. Come in by the word at the page of events "
        "first."
    ),
    "club.nothing": "There is no such game here, or it is private.",
}
"""Words of the hub's own pages."""

CLUB_WORDS: Final[Mapping[str, str]] = {**PAGE_WORDS, **AT_A_HUB, **CLUB, **EVENT_WORDS}
"""All words of a hub's pages."""
