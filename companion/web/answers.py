"""Puts the loop's answers to a page's proposals into words, as the page gets them."""

from companion.core.values import Json
from companion.presentation.news import newest_json
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.rows import Kept, Step
from companion.table.proposals import (
    Answer,
    AskedAgain,
    Counted,
    LookAgain,
    NotCounted,
    NotCountedYet,
    Refused,
)
from companion.table.snapshot import Snapshot
from companion.web.games import PageGames


def answer_json(answer: Answer, snapshot: Snapshot | None, games: PageGames) -> Json:
    """The loop's `answer` in words, as the page gets it. Entries that others made in between are
    told as they stand in the game now."""
    journal = snapshot.journal if snapshot else None
    match answer:
        case Counted():
            return {
                "counted": True,
                "row": answer.row,
                "said": say("answer.counted", row=answer.row),
            }
        case LookAgain():
            return {"counted": False, "said": _look_again(answer.between, journal, games)}
        case AskedAgain():
            return {"counted": False, "again": True, "said": _again(answer.kept, snapshot, games)}
        case Refused():
            return {"counted": False, "said": say("answer.refused", why=answer.why)}
        case NotCounted():
            return {"counted": False, "said": say("answer.not-counted")}
        case NotCountedYet():
            return {"counted": None, "said": say("answer.only-watching")}
    return {"counted": None, "said": say("answer.not-known", why=answer.why)}


def _again(kept: Kept, snapshot: Snapshot | None, games: PageGames) -> Json:
    """The words that ask whether the same row is meant once more: “Again? Ben's phone: draws”."""
    journal = snapshot.journal if snapshot else None
    if snapshot is None or journal is None:
        return say("answer.again", news="")
    presentation = games[journal.opened.game].presentation
    newest = newest_json(kept, snapshot.game, journal, snapshot.settings, presentation)
    return say("answer.again", news=newest["said"]["words"] if newest else "")


def _look_again(
    between: tuple[Kept, ...], journal: Journal[object] | None, games: PageGames
) -> Json:
    """The words for the rows that came in between: “Anna lays 6-3: look again”."""
    rows = [kept.row for kept in between]
    steps = [row for row in rows if isinstance(row, Step)]
    entries = [entry for row in steps for entry in row.entries]
    if journal is None or not entries or len(steps) < len(rows):
        return say("answer.look-again-changed")
    presentation, states = games[journal.opened.game].presentation, {}
    for place, entry, state in journal.newest_first():
        if place < journal.length - len(entries):
            break
        states[place] = presentation.said(entry, state)["words"]
    said = [states[place] for place in sorted(states)]
    return say("answer.look-again", entries=said) if said else say("answer.look-again-changed")
