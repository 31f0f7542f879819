"""What undo and redo would change, with entries as the tally writes them."""

from companion.presentation.news import change_named
from companion.record.journal import Journal, WhatChanged


def undoes(journal: Journal[object]) -> str | None:
    """What Undo would take back; None: nothing."""
    return name(journal.would_undo)


def redoes(journal: Journal[object]) -> str | None:
    """What Redo would do again; None: nothing."""
    return name(journal.would_redo)


def name(what: WhatChanged | None) -> str | None:
    """The change in words; None if there is none."""
    return change_named(what) if what else None
