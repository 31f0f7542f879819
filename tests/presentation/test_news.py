"""Names of changes for undo, redo and news."""

import pytest

from companion.core.seats import Seats, display_name
from companion.games.game import Entry, parse_entry
from companion.presentation.news import change_as_spoken, change_name, public_change_name
from companion.record.journal import ChangeKind, ChangeSummary
from tests.catalog import GAMES
from tests.catalogues import translated

SEATS = Seats.of("Red", "Old_Tom")


def entry(text: str) -> Entry:
    return parse_entry(text, GAMES["high-five"], SEATS)


def entered(text: str, more: int = 0) -> ChangeSummary:
    return ChangeSummary(ChangeKind.ENTERED, entry(text), more)


def at(kind: ChangeKind, there: str, put_in: str | None = None) -> ChangeSummary:
    return ChangeSummary(kind, entry(put_in) if put_in else None, earlier=entry(there))


REMOVED = ChangeSummary(ChangeKind.REMOVED, entry("Old_Tom pass"))
NAMES = [
    (entered("Red 5-6"), "Red 5-6", "Red 5-6"),
    (entered("Red 5-6", 2), "Red 5-6 and 2 more", "Red 5-6 and 2 more"),
    (entered("Old_Tom 5-6"), "Old_Tom 5-6", "Old Tom 5-6"),
    (entered("Old_Tom draw"), "Old_Tom draw", "Old Tom's draw"),
    (entered("Red draw 2"), "Red draw 2", "Red draw 2"),
    (entered("Red draw", 1), "Red draw and 1 more", "Red draw and 1 more"),
    (entered("hand lead Red"), "hand lead Red", "the deal"),
    (entered("bogus Red"), "bogus Red", "the bogus call"),
    (entered("chips Red 5 lent"), "chips Red 5 lent", "the chip correction"),
    (entered("bogus Red by Old_Tom", 1), "bogus Red by Old_Tom and 1 more", "the bogus call"),
    (entered("chips Red 5 Red holds on"), "chips Red 5 Red holds on", "the chip correction"),
    (entered("end Red had to pass"), "end Red had to pass", "end Red had to pass"),
    (
        at(ChangeKind.PUT_IN, "Red 5-6", "hand lead Red"),
        "hand lead Red put in before “Red 5-6”",
        "the deal",
    ),
    (entered("audit Red 50"), "audit Red 50", "the count of chips"),
    (
        ChangeSummary(ChangeKind.REMOVED, entry("Old_Tom pass"), 1),
        "the removal of Old_Tom pass and 1 more",
        "the removal of Old Tom pass and 1 more",
    ),
    (REMOVED, "the removal of Old_Tom pass", "the removal of Old Tom's pass"),
    (
        at(ChangeKind.PUT_IN, "Red 5-6", "Old_Tom draw"),
        "Old_Tom draw put in before “Red 5-6”",
        "Old Tom draw put in before “Red 5-6”",
    ),
    (at(ChangeKind.CHANGED, "Red 5-6"), "the change of “Red 5-6”", "the change of “Red 5-6”"),
    (
        at(ChangeKind.CHANGED, "Old_Tom out"),
        "the change of “Old_Tom out”",
        "the change of “Old Tom out”",
    ),
    (at(ChangeKind.REWOUND, "Red 5-6"), "the rewind to “Red 5-6”", "the rewind to “Red 5-6”"),
    (
        at(ChangeKind.REWIND_TOOK, "Red 5-6"),
        "what the rewind to “Red 5-6” took",
        "what the rewind to “Red 5-6” took",
    ),
    (
        ChangeSummary(ChangeKind.RESEATED, more=1),
        "the seat change and 1 more",
        "the seat change and 1 more",
    ),
    (ChangeSummary(ChangeKind.BEGUN), "this game", "this game"),
    (ChangeSummary(ChangeKind.BEGUN_NEXT), "the next game", "the next game"),
]


FOR_ALL = {
    "hand lead Red": "the deal",
    "bogus Red": "the bogus call",
    "bogus Red by Old_Tom and 1 more": "the bogus call and 1 more",
    "chips Red 5 lent": "the chip correction",
    "chips Red 5 Red holds on": "the chip correction",
    "hand lead Red put in before “Red 5-6”": "the deal put in before “Red 5-6”",
    "audit Red 50": "the count of chips",
}
"""What everybody reads of a change, by its written name, if people call it by what it is."""


@pytest.mark.parametrize(("what", "written", "said"), NAMES, ids=[one[1] for one in NAMES])
def test_a_change_has_a_written_and_a_spoken_name(
    what: ChangeSummary, written: str, said: str
) -> None:
    assert (change_name(what), public_change_name(what), change_as_spoken(what)) == (
        written,
        FOR_ALL.get(written, display_name(written)),
        said,
    )


@pytest.mark.parametrize(
    ("what", "named"),
    [
        (entered("Red holds 5-6 4-4"), "what Red has shown"),
        (entered("Old_Tom pips 7", 1), "what Old_Tom has shown"),
        (
            ChangeSummary(ChangeKind.REMOVED, entry("Red holds 5-6")),
            "the removal of what Red has shown",
        ),
        (at(ChangeKind.PUT_IN, "Red out", "Red holds 5-6"), "what Red has shown"),
        (at(ChangeKind.CHANGED, "Red holds 5-6"), "the change of “what Red has shown”"),
        (
            at(ChangeKind.PUT_IN, "Red holds 5-6", "Old_Tom pass"),
            "Old_Tom pass put in before “what Red has shown”",
        ),
    ],
)
def test_public_change_names_hide_holdings_shown_in_a_claim(
    what: ChangeSummary, named: str
) -> None:
    assert public_change_name(what) == display_name(named)


def test_words_of_the_tally_are_translated() -> None:
    spanish = translated("es")
    assert spanish.translate(public_change_name(entered("blocked"))) == "cierre"
    assert spanish.translate(public_change_name(entered("Old_Tom draw"))) == "Old Tom robo"
    assert spanish.translate(change_as_spoken(entered("Old_Tom draw"))) == "robo de Old Tom"
    assert spanish.translate(change_as_spoken(REMOVED)) == "lo borrado: pase de Old Tom"
