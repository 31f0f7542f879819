"""The message about a row that was entered elsewhere."""

from companion.console.screen import View
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.game import B
from companion.presentation.news import news
from companion.record.rows import Kept
from companion.record.versions import WhatChanged


def entered_by(kept: Kept, view: View[B]) -> str:
    """“Anna's phone: 6-3.”, “Anna for Granny: 6-3.”, “A phone takes back Blue 6-3.”: who made the
    row, and what it was. `view` is the one after the row."""

    def entered(entry: Entry) -> str:
        return view.play.in_words(entry, view.state)

    def named(what: WhatChanged) -> str:
        return view.play.spoken(view, what)

    said = news(kept, view.settings, entered, named, view.journal)["words"]
    return phrase("{said}.", said=said)
