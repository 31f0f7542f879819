"""What the picture on a TV shows of a moment (docs/telling.md): the cards of its sides, the count
of the line of play, and what has just happened."""

from typing import Any

from companion.core.values import Json

TAKEN_OVER = "news.taken-over"
"""The key of the news that a phone has taken a seat: it is shown even during a dispute."""


def cards_of(moment: Any) -> list[list[Any]]:
    """The seats in groups that share a card: partners together, others alone."""
    seats = {seat["seat"]: seat for seat in moment["seats"]}
    if moment["sides"]:
        return [[seats[one] for one in side] for side in moment["sides"]]
    return [[seat] for seat in moment["seats"]]


def count_of(moment: Any) -> tuple[str, str] | None:
    """The count of the line of play, and the terms that add up to it, as in “2+3”. The terms are
    empty if there is only one, or if the newest lay's count is another. None if there is no count
    to show."""
    table = moment["table"]
    if not table or table["kind"] != "line" or table["count"] is None or not table["tiles"]:
        return None
    lays = (
        entry["why"]["parts"]
        for entry in moment["latest"]
        if entry["hand"] == moment["hand"] and entry["why"] and "count" in entry["why"]["parts"]
    )
    told: Json = next(lays, {})
    terms = told.get("terms", []) if told.get("count") == table["count"] else []
    return str(table["count"]), "+".join(map(str, terms)) if len(terms) > 1 else ""


def strip_of(moment: Any) -> tuple[str, list[str], str, str] | None:
    """The strip below the line of play: its heading, its lines, the reason, and the name of the
    colour of its edge. None if nothing happened that it shows."""
    news = moment["news"]
    if news and news["said"]["key"] == TAKEN_OVER:
        return "", [news["said"]["words"]], "", "alarm"
    claim, ruling, due = moment["claim"], moment["ruling"], moment["chips_to_move"]
    if claim:
        judged = ruling["said"] if ruling else claim["verdict"]
        return claim["charge"]["words"], [judged["words"]], claim["evidence"]["words"], "alarm"
    if due:
        said = [f"{one['words']}{_pieces(one)}" for one in due["moves"]]
        return moment["news"]["said"]["words"] if moment["news"] else "", said, "", "glow"
    if ruling:
        return "", [ruling["said"]["words"]], "", "alarm"
    newest = moment["latest"][0] if moment["latest"] else None
    if newest and newest["payments"]:
        said = [f"{one['said']['words']}{_pieces(one)}" for one in newest["payments"]]
        colours = {seat["seat"]: seat["colour"] for seat in moment["seats"]}
        to = colours.get(newest["payments"][0]["to"]) or "other"
        return newest["why"]["words"] if newest["why"] else "", said, "", to
    if moment["news"] and moment["news"]["announced"]:
        return "", [moment["news"]["said"]["words"]], "", "accent"
    return None


def _pieces(payment: Any) -> str:
    return f":  {payment['chips']['said']['words']}" if payment.get("chips") else ""
