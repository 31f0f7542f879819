"""The kernel rig's guest with six phones and a TV's page, and with a TV that it draws itself:
whether one slow core still has time for the keys.

The pages run in the guest, too, since it has no network. They go before everything else on its
core, but only note when something had come.
"""

import json
import statistics
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from tests.rigs.kernel.guest import Guest
from tests.rigs.kernel.table import RECORD, GuestTable, Step, played

PAGES = (*["wide"] * 6, "wide")
"""The shapes of paper on which six phones that key, and a TV, have the line of play drawn."""
SET_UP, MEASURED = 6, 48
"""How many presses only open the game, and how many are measured, first alone and then with
pages."""
HERE_S = 60
ROWS = f"""import json, sqlite3
rows = sqlite3.connect("file:{RECORD}?mode=ro", uri=True).execute("SELECT seq, at FROM record")
print(json.dumps(dict(rows.fetchall())))"""
FOLDER = "/tmp"
"""Not /run: a folder `companion` there would be taken for the package."""
SCREEN = Path(__file__).parents[1] / "fake_framebuffer.py"
"""What kernel/tv.py draws on."""
TOLD = "/run/pages.told"


@contextmanager
def running(guest: Guest, name: str, command: str, says: str) -> Iterator[list[Any]]:
    """Runs a program of kernel/ in the guest, and waits until it `says` that it is ready. At the
    end the list has what it told. `command` starts it; its text is put into FOLDER."""
    source = (Path(__file__).parent / "kernel" / f"{name}.py").read_text("utf-8")
    guest.run(f"cat >{FOLDER}/{name}.py", text=source)
    pid = guest.run(f"{command} >{TOLD} 2>&1 </dev/null & echo $!").strip()
    told: list[Any] = []
    try:
        tried = f"grep -q {says} {TOLD} && exit; sleep 1"
        guest.run(f"for _ in $(seq {HERE_S}); do {tried}; done; cat {TOLD}; exit 1", HERE_S + 30)
        yield told
    finally:
        guest.run(f"kill {pid}; tail --pid={pid} -f /dev/null", 60)
    told += json.loads(guest.run(f"tail -n 1 {TOLD}"))


def pages(guest: Guest) -> AbstractContextManager[list[dict[str, Any]]]:
    """Runs pages that listen; at the end the list has what they heard (see kernel/pages.py)."""
    command = f"chrt -f 5 python3 {FOLDER}/pages.py {' '.join(PAGES)}"
    return running(guest, "pages", command, "here")


def figures(seconds: list[float]) -> str:
    late = sorted(seconds)
    most = {"95th percentile": late[len(late) * 95 // 100], "worst": late[-1]}
    told = {"median": statistics.median(late), **most}
    return ", ".join(f"{what} {one * 1e3:.1f} ms" for what, one in told.items())


def press_all(table: GuestTable, steps: list[Step]) -> list[float]:
    """Makes these presses; returns the seconds of each, from the key's edge to the display's last
    byte."""
    table.latencies.clear()
    for step in steps:
        table.press(step.key, step.frame)
    return list(table.latencies)


def first_told(heard: list[dict[str, Any]]) -> dict[tuple[int, int], float]:
    """The time in seconds since 1970 at which each page first got each row, by (page, row); without
    the oldest row, which pages get when they connect."""
    found: dict[tuple[int, int], float] = {}
    for one in heard:
        found.setdefault((one["page"], one["row"]), one["at_ns"] / 1e9)
    oldest = min(row for _, row in found)
    return {(page, row): at for (page, row), at in found.items() if row > oldest}


def test_one_slow_core_serves_six_phones_and_a_tv(guest: Guest, tell: list[str]) -> None:
    game, table = played(1, 2, "tile")[: SET_UP + MEASURED], GuestTable(guest)
    table.fresh()
    press_all(table, game[:SET_UP])
    alone = press_all(table, game[SET_UP:])
    table.fresh()
    press_all(table, game[:SET_UP])
    with pages(guest) as heard:
        together = press_all(table, game[SET_UP:])
        guest.run("sleep 2")
    kept = {int(row): at for row, at in json.loads(guest.run("python3 -", text=ROWS)).items()}
    told = first_told(heard)
    rows = {row for _, row in told}
    late = [at - kept[row] for (_, row), at in told.items()]
    slower = [after - before for before, after in zip(alone, together, strict=True)]
    tell += [
        f"key edge to last byte, {len(alone)} presses, alone: {figures(alone)}",
        f"with {len(PAGES)} pages that listen: {figures(together)}",
        f"each press slower than alone: {figures(slower)}",
        f"row to socket, {len(rows)} rows: {figures(late)}",
        f"bytes of a telling: {max(one['bytes'] for one in heard):,} at most",
    ]
    assert {page for page, row in told if row == max(kept)} == set(range(len(PAGES)))
    assert statistics.median(late) < 1.0


def tv(guest: Guest) -> AbstractContextManager[list[tuple[int, float]]]:
    """Runs a TV that the box draws without a browser, as gently as its service does. At the end the
    list has when each row was completely drawn (kernel/tv.py)."""
    guest.run(f"mkdir -p {FOLDER}/tests")
    guest.run(f"cat >{FOLDER}/tests/{SCREEN.name}", text=SCREEN.read_text())
    draws = f"PYTHONPATH=/usr/share/table-companion nice -n 10 python3 {FOLDER}/tv.py $PAGE"
    return running(guest, "tv", f"set -a; . /run/companion/page; {draws}", "watching")


def test_one_slow_core_draws_the_tv_in_time(guest: Guest, tell: list[str]) -> None:
    """The TV has 1080 lines. Keys go first: rather than slow them, the TV is seconds late."""
    game, table = played(1, 2, "tile")[: SET_UP + MEASURED], GuestTable(guest)
    table.fresh()
    press_all(table, game[:SET_UP])
    with tv(guest) as seen:
        together = press_all(table, game[SET_UP:])
        kept = {int(row): at for row, at in json.loads(guest.run("python3 -", text=ROWS)).items()}
        drawn = f"grep -qx 'row {max(kept)}' {TOLD} && exit; sleep 1"
        guest.run(f"for _ in $(seq {HERE_S}); do {drawn}; done; cat {TOLD}; exit 1", HERE_S + 30)
        guest.run("sleep 2")  # until that row is drawn whole, for the figures
    late = [at - kept[row] for row, at in seen if row in kept]
    tell += [
        f"key edge to last byte, {len(together)} presses, while a TV is drawn: {figures(together)}",
        f"row to a TV of 1080 lines, {len(late)} rows: {figures(late)}",
    ]
    assert max(row for row, _ in seen) == max(kept), "it shows the newest in the end"
    assert statistics.median(together) < 1.0
