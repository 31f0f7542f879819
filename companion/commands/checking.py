"""`companion verify`: everything that the record holds is checked."""

from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.printing import FOUND, WELL, print_json, progress_shown, say
from companion.commands.reading import reading
from companion.record.store.reader import Reader


def verify_record(path: Path, games: Catalog, *, as_json: bool) -> int:
    """Checks everything; a line for each finding."""

    def tell(reader: Reader) -> int:
        from companion.record.repair.verify import verify

        with progress_shown() as progress:
            findings = verify(reader, progress)
        if as_json:
            print_json({"record": str(path), "findings": findings})
        else:
            say(findings or [f"{path}: every row is as it was written"])
        return FOUND if findings else WELL

    return reading(path, games, tell)
