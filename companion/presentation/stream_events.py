"""The stream of events at a table, each a small JSON object, for programs that listen
(docs/stream.md).

Pure: events result only from comparing two moments as pages get them (moment.py). So no event
reveals what a page may not show, and a count that players have to call is sent only once it is
called. A program that missed moments gets their combined outcome."""

from collections.abc import Iterator, Mapping
from typing import Final

from companion.core.values import Json

STREAM: Final = 1
"""The stream's version. It rises with changes that programs have to know about."""
EVENTS: Final = (
    "table", "game", "hand", "entry", "change", "score", "claim", "ruling", "turn", "over",
)  # fmt: skip
"""Every kind of event, in the order in which those of one moment are sent."""


class Stream:
    """Makes events from a table's moments as they come. `before`: the last moment whose events are
    already known."""

    def __init__(self, before: Json | None = None) -> None:
        self._before = before

    def hear(self, moment: Json) -> list[Json]:
        """Returns the events since the previous moment, followed by one `table`; for the first
        moment only the `table`. Empty if nothing has changed that the stream reports."""
        before, self._before = self._before, moment
        if before is None:
            return [table_event(moment)]
        happened = [*_new_events(before, moment)]
        return [*happened, table_event(moment)] if happened else []


def table_event(moment: Json) -> Json:
    """Returns the event with the whole state of the table, enough for a program that joins
    later."""
    return _event(
        "table",
        moment,
        match=_words_or_none(moment["match"] and moment["match"]["said"]),
        where=_words_or_none(moment["where"]),
        seats=[_seat_json(one) for one in moment["seats"]],
        to_move=_seat_to_move(moment),
        asked=_words_or_none(moment["asked"]),
        last=_words_or_none(moment["sentence"]),
        claim=moment["claim"] is not None and moment["claim"]["open"],
        winners=moment["winners"],
        finished=moment["finished"],
    )


def _event(name: str, moment: Json, **parts: object) -> Json:
    game = moment["game"]
    return {
        "stream": STREAM,
        "event": name,
        "row": moment["row"],
        "number": moment["number"],
        "game": game and game["title"],
        **parts,
    }


def _new_events(before: Json, after: Json) -> Iterator[Json]:
    """Yields the events between two moments, in the order of EVENTS."""
    if game_of(before) != game_of(after):
        yield _event("game", after, seats=[_seat_json(one) for one in after["seats"]])
        before = {**after, "hand": None, "entry": 0, "latest": [], "claim": None, "ruling": None,
                  "winners": [], "finished": False, "seats": []}  # fmt: skip
        if after["game"] is None:
            return
    if after["hand"] is not None and after["hand"] != before["hand"]:
        yield _event("hand", after, hand=after["hand"], where=_words_or_none(after["where"]))
    if entries_changed(before, after):
        yield _event("change", after, entries=after["entry"])
    newest = after["latest"][0]["at"] if after["latest"] else 0
    for entry in reversed(after["latest"]):
        if entry["at"] > before["entry"]:
            yield _entry_event(entry, after, newest=entry["at"] == newest)
    yield from _score_events(before, after)
    yield from _claim_events(before, after)
    if _seat_to_move(before) != _seat_to_move(after):
        yield turn_event(after)
    if after["finished"] and not before["finished"]:
        yield _event("over", after, winners=after["winners"], said=_words_or_none(after["asked"]))


def _entry_event(entry: Json, moment: Json, *, newest: bool) -> Json:
    return _event(
        "entry",
        moment,
        at=entry["at"],
        hand=entry["hand"],
        seat=entry["seat"],
        entry=entry["entry"],
        said=_words_or_none(entry["said"]),
        points=entry["points"],
        why=_words_or_none(entry["why"]),
        payments=[
            {"from": one["from"], "to": one["to"], "points": one["points"],
             "said": _words_or_none(one["said"])}
            for one in entry["payments"]
        ],
        aloud=_words_or_none(moment["aloud"]) if newest else None,
    )  # fmt: skip


def _score_events(before: Json, after: Json) -> Iterator[Json]:
    had, has = scores_by_seat(before), scores_by_seat(after)
    gained = {seat: score - had.get(seat, 0) for seat, score in has.items()}
    gained = {seat: points for seat, points in gained.items() if points}
    if gained:
        yield _event("score", after, scores=has, gained=gained)


def _claim_events(before: Json, after: Json) -> Iterator[Json]:
    """Yields the events for a call of bogus play and for its ruling, but not for the tiles shown or
    proofs in between."""
    claim, had = after["claim"], before["claim"]
    if (
        claim is not None
        and claim["open"]
        and (had is None or _claim_identity(had) != _claim_identity(claim))
    ):
        yield _event(
            "claim",
            after,
            by=claim["by"],
            accused=claim["accused"],
            said=_words_or_none(claim["charge"]),
        )
    ruling = after["ruling"]
    if ruling is not None and ruling != before["ruling"]:
        yield _event("ruling", after, seat=ruling["seat"], said=_words_or_none(ruling["said"]))


def _claim_identity(claim: Json) -> tuple[object, ...]:
    return claim["by"], claim["accused"], claim["turn"], claim["open"]


def turn_event(moment: Json) -> Json:
    """Returns the event with the seat to move, which is null if it is nobody's turn, as between
    hands."""
    seat = _seat_to_move(moment)
    found = next((one for one in moment["seats"] if one["seat"] == seat), None)
    return _event(
        "turn",
        moment,
        seat=seat,
        colour=found and found["colour"],
        sign=found and found["sign"],
        said=_words_or_none(moment["asked"]),
    )


def entries_changed(before: Json, after: Json) -> bool:
    """Returns whether entries were changed, taken back or inserted. An entry that was hidden and is
    now shown doesn't count as changed."""
    if after["entry"] < before["entry"]:
        return True
    had = {entry["at"]: entry for entry in before["latest"]}
    return any(
        entry["entry"] != had[entry["at"]]["entry"]
        for entry in after["latest"]
        if entry["at"] in had and None not in (entry["entry"], had[entry["at"]]["entry"])
    )


def game_of(moment: Json) -> tuple[object, ...]:
    return moment["number"], moment["game"] and moment["game"]["name"]


def _seat_to_move(moment: Json) -> str | None:
    return next((one["seat"] for one in moment["seats"] if one["to_move"]), None)


def scores_by_seat(moment: Json) -> dict[str, int]:
    return {one["seat"]: one["score"] for one in moment["seats"]}


def _seat_json(seat: Json) -> Json:
    return {name: seat[name] for name in ("seat", "colour", "sign", "score", "to_move", "won")}


def _words_or_none(sentence: Mapping[str, object] | None) -> object:
    """Returns the words of a sentence, still to be translated (language.py)."""
    return None if sentence is None else sentence["words"]
