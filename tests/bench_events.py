"""How long it takes to draw the rounds of large events, and whether anybody met or paid twice."""

import json
from time import process_time

from companion.events.pairing import draw_round
from companion.events.reading import read_event
from tests.events.playing import event_of, meetings, paid, play

GOALS = {40: "nobody twice", 501: "at most 5 s", 2000: "at most 30 s"}
ROUNDS = 9


def bench_events() -> list[tuple[str, str, str]]:
    """Gives lines of the table: (what, measured, goal)."""
    rows = []
    for people, goal in GOALS.items():
        text = event_of(people)
        play(text, ROUNDS - 1)
        start = process_time()
        draw_round(read_event(json.dumps(text)))
        took = process_time() - start
        twice = sum(met > 1 for counts in (meetings(text), paid(text)) for met in counts.values())
        found = f"{took:.2f} s, {twice} met or paid twice"
        rows.append((f"round {ROUNDS} of {people} players is drawn", found, goal))
    return rows
