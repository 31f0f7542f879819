"""A moment for people who hear it: for a screen reader, one sentence on what happened and what is
asked; for a voice at the table, the count and the payments."""

from collections.abc import Iterator

from companion.core.values import Json
from companion.presentation.sayings import say


def heard(description: Json) -> Json:
    """The moment's keys `sentence`, and `aloud`: the count that the last entry made and who pays
    whom, None if it made neither. `description`: the moment's JSON without these two keys."""
    done, asked = [*_done(description)], description["asked"]["words"]
    if done:
        sentence = say("heard.moment", done=done, asked=asked)
    else:
        sentence = say("heard.asked", asked=asked)
    said = list[str]()
    for entry in description["latest"][:1]:
        if count := count_said(description, entry):
            said.append(count["words"])
        said += [payment["said"]["words"] for payment in entry["payments"]]
    return {"sentence": sentence, "aloud": say("heard.aloud", said=said) if said else None}


def _done(description: Json) -> Iterator[str]:
    """What happened last: the entry, its count, who pays whom, and a dispute with its verdict."""
    for entry in description["latest"][:1]:
        yield entry["said"]["words"]
        if count := count_said(description, entry):
            yield count["words"]
        yield from (payment["said"]["words"] for payment in entry["payments"])
        yield from (notice["words"] for notice in entry["notices"])
    claim, ruling = description["claim"], description["ruling"]
    if claim and not ruling:
        yield claim["verdict"]["words"]
        yield claim["evidence"]["words"]
    if ruling:
        yield ruling["said"]["words"]


def count_said(description: Json, entry: Json) -> Json | None:
    """The sentence about the count; None unless `entry` made one on a line of play."""
    table, why = description["table"], entry["why"]
    if not table or table["kind"] != "line" or not why or "count" not in why["parts"]:
        return None
    return say("heard.count", count=why["parts"]["count"])
