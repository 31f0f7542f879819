"""Loaded by a hub as sitecustomize: makes drawing a round take longer than a stranger may stay."""

import sys

if "hub" in sys.argv or "run" in sys.orig_argv:
    import time

    import companion.hub.event_desk as desk

    draw = desk.draw_round  # type: ignore[attr-defined]

    def slowly(event):  # type: ignore[no-untyped-def]
        time.sleep(11.0)
        return draw(event)

    desk.draw_round = slowly  # type: ignore[attr-defined]
