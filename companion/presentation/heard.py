"""A moment for those who hear it: one sentence of what happened and what is asked, for a screen
reader; and what a voice says aloud across the table."""

from collections.abc import Iterator

from companion.core.values import Json
from companion.presentation.sayings import say


def heard(told: Json) -> Json:
    """`sentence`, and `aloud`: the count that the last entry made and who pays whom; None where it
    made neither. `told`: all else that is told of the moment."""
    return {"sentence": _sentence(told), "aloud": _aloud(told)}


def _sentence(told: Json) -> Json:
    done = [*_done(told)]
    if not done:
        return say("heard.asked", asked=told["asked"]["words"])
    return say("heard.moment", done=done, asked=told["asked"]["words"])


def _done(told: Json) -> Iterator[str]:
    """What happened last: the entry, its count, who pays whom, and a dispute with its verdict."""
    for entry in told["latest"][:1]:
        yield entry["said"]["words"]
        if count := _count(told, entry):
            yield count["words"]
        yield from (payment["said"]["words"] for payment in entry["payments"])
        yield from (notice["words"] for notice in entry["notices"])
    claim, ruling = told["claim"], told["ruling"]
    if claim and not ruling:
        yield claim["verdict"]["words"]
        yield claim["evidence"]["words"]
    if ruling:
        yield ruling["said"]["words"]


def _aloud(told: Json) -> Json | None:
    said = list[str]()
    for entry in told["latest"][:1]:
        if count := _count(told, entry):
            said.append(count["words"])
        said += [payment["said"]["words"] for payment in entry["payments"]]
    return say("heard.aloud", said=said) if said else None


def _count(told: Json, entry: Json) -> Json | None:
    """The count, if that entry made it."""
    table, why = told["table"], entry["why"]
    if not table or table["kind"] != "line" or not why or "count" not in why["parts"]:
        return None
    return say("heard.count", count=why["parts"]["count"])
