"""Checks the record: is it as it was written?"""

from collections.abc import Iterator

from companion.app.check.bench import Bench, user_name
from companion.app.check.finding import Finding, fault, not_tried, ok, warning
from companion.core.clock import day
from companion.record.repair.verify import verify
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader

SHOWN = 5
"""Findings that are shown; `companion verify` shows all."""


def check_record(bench: Bench) -> Iterator[Finding]:
    """Checks every row and every game, and names what an earlier damage has left."""
    try:
        if not bench.record.exists():
            yield ok(f"{bench.record} is not there yet: the table makes it")
            return
        with Reader.open(bench.record, bench.games) as reader:
            games = sum(1 for _ in reader.numbers())
            wrong = verify(reader)
            names = [] if wrong else list(_check_names(bench, reader))
    except PermissionError:
        user = user_name(bench.machine.user)
        yield not_tried(
            f"{user} may not read {bench.record}",
            f"sudo usermod -aG companion {user}, then log in again; or sudo companion check",
        )
        return
    except (StoreError, OSError) as error:
        yield fault(str(error), "companion run sets a damaged record aside and saves what it can")
        return
    if wrong:
        yield from (fault(line, "companion verify tells all of it") for line in wrong[:SHOWN])
    else:
        yield ok(f"{games} game{'' if games == 1 else 's'}, every row as it was written")
        yield from names
    for old in sorted(bench.record.parent.glob(f"{bench.record.name}.damaged-*[0-9]")):
        yield warning(
            f"a damaged record was set aside as {old.name}",
            f"what was readable is in the record; keep or remove {old}",
        )


def _check_names(bench: Bench, reader: Reader) -> Iterator[Finding]:
    """Checks that no game has names for longer than the configuration says. Raises StoreError."""
    if not (months := bench.config.record.keep_names_months):
        return
    from companion.app.retention import due_names, last_known_time

    many = len(due_names(reader, months, bench.machine.wall()).games)
    if not many:
        yield ok(f"no finished game has names for longer than {months} months")
        return
    seen = day(last_known_time(bench.record)) or "no day yet"
    yield warning(
        f"{many} game{' has' if many == 1 else 's have'} names for longer than {months} months; "
        f"the network set the clock last on {seen}",
        "connect the box to a network, start the table, and start it once more: it forgets only "
        "with a clock that the network has set",
    )
