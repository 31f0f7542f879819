"""A program (`python -m tests.devices.killed_box RECORD DEVICE`) for tests that kill it: a table
over a record with one seat keypad. For each frame of the display it prints the entries, as one line
of JSON."""

import json
import sys
import time
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.console.frame import BoxPicture
from companion.core.keys import PressId
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.record.store.store import Store
from companion.table.loop import Outputs, Table
from tests.catalog import GAMES


def main(record: str, device: str) -> None:
    """Runs until it is killed."""
    store = Store.open(Path(record), GAMES)

    def draw(_: BoxPicture) -> None:
        journal = table._state.session.journal
        print(json.dumps([str(one) for one in journal.entries] if journal else []), flush=True)

    def settle(source: PressId, refused: bool) -> None:
        keypads.settle(source, refused)

    table = Table(store, CATALOG, Outputs(draw, settle=settle), time.monotonic)
    last_kept_press = {key: store.last_press(*key) for key in seen_boots(store)}
    keypads = SeatKeypads(
        table.events.put,
        lambda keypad, boot: last_kept_press.get((keypad, boot), 0),
        print,
        find=lambda: [device],
    )
    keypads.start()
    table.run()


def seen_boots(store: Store) -> set[tuple[str, int]]:
    """Returns the keypads' starts of which the record has presses, as (keypad, boot)."""
    sources = (one.source for game in (0, *store.game_numbers()) for one in store.rows(game))
    parts = (source.split("/") for source in sources if source)
    return {(keypad, int(boot)) for keypad, boot, _ in parts}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
