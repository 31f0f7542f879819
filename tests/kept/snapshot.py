"""The content of a record as plain data: the output of `companion games` and `show`, its settings,
and the effects of undo and redo."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json
from companion.core.values import Json
from companion.record.repair.verify import verify
from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.playing import redoes, undoes


def snapshot(record: Path) -> Json:
    """The content of the record, of which only a copy is opened."""
    with TemporaryDirectory() as place:
        path = Path(place) / record.name
        for end in ("", "-wal"):
            if (file := Path(f"{record}{end}")).exists():
                shutil.copyfile(file, f"{path}{end}")
        with Reader.open(path, GAMES) as reader:
            last = reader.last_game()
            return {
                "rows": reader.last_row(),
                "last_game": last[0] if last else None,
                "settings": reader.settings(),
                "findings": verify(reader),
                "games": [_game(reader, number) for number in reader.game_numbers() if number],
            }


def _game(reader: Reader, number: int) -> Json:
    journal, faults = reader.game_with_doubts(number)
    listed = next(reader.iter_listed_game(number), None)
    if journal is None or listed is None:
        return {"number": number, "faults": faults}
    return {
        "number": number,
        "at": listed.at,
        "after": listed.opened.after,
        "faults": faults,
        "withdrawn": journal.withdrawn,
        "undo": undoes(journal),
        "redo": redoes(journal),
        "presses": [kept.source for kept in reader.rows(number)],
        "words": [list(pair) for pair in journal.opened.words],
        "shown": game_json(CATALOG, journal),
    }


def write_snapshot(path: Path, found: Json) -> None:
    """Writes a snapshot as JSON with one line an entry, so that differences can be read."""
    text = json.dumps(found, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
