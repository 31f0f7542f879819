"""A hub that is slow to draw a round: run in its process before its command."""

import time
from pathlib import Path

import companion.club.hub.event_desk as desk
from companion.events.draw import NextRound
from companion.events.event import ClubEvent
from companion.events.pairing import draw_round


def draw_slowly() -> None:
    """Makes drawing a round take longer than a stranger may stay."""

    def slowly(event: ClubEvent) -> NextRound:
        time.sleep(11.0)  # the limit is the program's, by the real clock
        return draw_round(event)

    vars(desk)["draw_round"] = slowly


def never_draw(begun: Path) -> None:
    """Makes drawing a round go on until the hub is killed; `begun` exists once it has begun."""

    def without_end(_: ClubEvent) -> NextRound:
        begun.touch()
        while True:
            time.sleep(1.0)

    vars(desk)["draw_round"] = without_end
