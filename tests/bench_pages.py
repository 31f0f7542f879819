"""Figures of the pages: how soon a row that is on the disk is painted on twelve of them, what a
page weighs, how soon it shows something, and what the program needs for them.

The program is a process of its own. Nine pages run without a browser, in another process; three are
painted by a real browser, if there is one. All read this machine's clock.

    python -m tests.bench_pages serve RECORD       the program; says when each row is on the disk
    python -m tests.bench_pages listen URL         nine pages, one of which keys a whole game
    python -m tests.rigs.kernel.tv URL             a TV's picture, which no browser draws
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

from companion.commands import cli
from companion.record.rows import KeptRow, Row
from companion.record.store.store import Store
from companion.web.access import OPEN_PATH, LocalAccess, read_secret
from tests.browser import chromium
from tests.random_games import play_game
from tests.web.live import keep

LISTENERS, KEYED = 9, 60
PAUSE_S = 0.2
"""Seconds between two rows: people are slower."""
SIZES = (
    ("/", {"width": 360, "height": 780}),
    ("/", {"width": 768, "height": 1024}),
    ("/tv", {"width": 1920, "height": 1080}),
)
FRESH = 5
"""How many times a page is opened in a browser that has never seen it."""
PAINTED = """
window.painted = [];
const Real = window.WebSocket;
window.WebSocket = class extends Real {
  constructor(...more) {
    super(...more);
    this.addEventListener("message", ({ data }) => {
      const row = typeof data === "string" && JSON.parse(data).moment?.row;
      if (!row) return;
      requestAnimationFrame(() => setTimeout(() => {
        const now = performance.now();
        window.painted.push([row, performance.timeOrigin + now, now, data.length]);
      }));
    });
  }
};
"""
"""A script for the page: notes for each row when the frame that shows it was painted."""
Line = tuple[str, str, str]


# ---------------------------------------------------------------- the other processes


def serve(record: str, *words: str) -> int:
    """Runs the program as people start it, with further `words`; prints the time at which each row
    is on the disk."""
    keep_row = Store.keep

    def told(store: Store, game: int, row: Row, *more: Any, **named: Any) -> KeptRow:
        kept = keep_row(store, game, row, *more, **named)
        print("kept", kept.seq, time.time(), flush=True)
        return kept

    setattr(Store, "keep", told)  # noqa: B010
    return cli.main(["run", "--virtual", "--record", record, "--port", "0", *words])


async def listen(url: str) -> None:
    """Opens nine pages, the first of which keys a game. Prints when each page got each row."""
    heard: list[tuple[int, float]] = []
    async with aiohttp.ClientSession(url) as session:
        shown = {"Authorization": f"Bearer {os.environ['TABLE_SECRET']}"}
        async with session.get("/token", headers=shown) as answer:
            word = (await answer.json())["token"]
        pages = [await _enter(session, url, word) for _ in range(LISTENERS)]
        stands: dict[str, Any] = {}
        listening = [asyncio.create_task(_hear(page, heard, stands)) for page in pages]
        await _key(pages[0], stands)
        print(json.dumps(heard), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in listening:
            task.cancel()


async def _enter(session: aiohttp.ClientSession, url: str, word: str) -> Any:
    page = await session.ws_connect("/live", headers={"Origin": url})
    await page.send_json({"n": 0, "hello": word, "wants": ["wide"]})
    await page.send_json({"n": 1, "role": {"name": "scorekeeper"}})
    return page


async def _hear(page: Any, heard: list[tuple[int, float]], stands: dict[str, Any]) -> None:
    async for message in page:
        said = json.loads(message.data)
        if said.get("moment"):
            heard.append((said["moment"]["row"], time.time()))
            stands.update(said["keys"])


async def _key(page: Any, stands: dict[str, Any]) -> None:
    while not stands:
        await asyncio.sleep(0.05)
    for number, entry in enumerate(_game()[:KEYED], 1):
        named = {name: stands[name] for name in ("run", "game", "tip")}
        propose = {"surface": "phone-bench", "number": number, "text": entry, **named}
        await page.send_json({"n": number + 1, "propose": propose})
        await asyncio.sleep(PAUSE_S)


def _game() -> list[str]:
    """The entries to key, as the tally writes them."""
    return [str(entry) for entry, _ in play_game(Random(3))][1:]


# ---------------------------------------------------------------- the program and its pages


class Program:
    """The program, running in a process of its own."""

    def __init__(self, record: Path, *words: str) -> None:
        self._process = _python("serve", str(record), *words)
        assert self._process.stdout
        line = self._process.stdout.readline()
        self.url = line.split()[-1].partition(OPEN_PATH)[0]
        self.local = LocalAccess(read_secret(record.with_suffix(".secret")))
        os.environ["TABLE_SECRET"] = self.local.secret  # for the other processes

    @property
    def resident_mb(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024

    def end(self) -> dict[int, float]:
        """Stops the program; returns when each row was on the disk."""
        self._process.terminate()
        out, _ = self._process.communicate()
        kept = (line.split() for line in out.splitlines() if line.startswith("kept"))
        return {int(row): float(at) for _, row, at in kept}


def _ended(watching: "subprocess.Popen[str]") -> list[tuple[int, float]]:
    """Ends the TV; returns when it showed each row."""
    watching.terminate()
    seen: list[tuple[int, float]] = json.loads(watching.communicate()[0].splitlines()[-1])
    return seen


def _python(*words: str, module: str = "tests.bench_pages") -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", module, *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def browser() -> AbstractContextManager[Any]:
    """A real browser; None if there is none."""
    return chromium() if find_spec("playwright") else nullcontext()


def _open(opened: Any, program: Program, path: str, size: Any) -> Any:
    """Opens a page in a fresh browser context; returns it once it has painted the table."""
    context, local = opened.new_context(viewport=size), program.local
    cookie = {"name": local.cookie_name, "value": local.cookie, "url": program.url}
    context.add_cookies([cookie])
    tab = context.new_page()
    tab.add_init_script(PAINTED)
    tab.goto(program.url + path)
    while not tab.evaluate("painted.length"):
        tab.wait_for_timeout(20)
    return tab


def bench_pages() -> Iterator[Line]:
    """Returns lines of the table: (what, measured, goal)."""
    with TemporaryDirectory() as folder, browser() as opened:
        record = Path(folder) / "record.db"
        keep(record, "hand")
        program = Program(record)
        yield from _alone(opened, program)
        tabs = [_open(opened, program, path, size) for path, size in SIZES if opened]
        watching = _python(program.url, module="tests.rigs.kernel.tv")
        listeners = _python("listen", program.url)
        assert listeners.stdout and watching.stdout
        watching.stdout.readline()
        heard: list[tuple[int, float]] = json.loads(listeners.stdout.readline())
        for tab in tabs:
            painted = tab.evaluate("painted")
            heard += [(row, at / 1000) for row, at, *_ in painted]
        resident = program.resident_mb
        listeners.communicate("\n")
        seen = _ended(watching)
        kept = program.end()
    took = sorted(at - kept[row] for row, at in heard if row in kept)
    pages = LISTENERS + len(tabs)
    figures = f"{_ms(statistics.median(took))} / {_ms(_p95(took))} / {_ms(took[-1])} ms"
    what = f"row on the disk → on {pages} pages, {len(tabs)} painted (median / p95 / max)"
    yield what, figures, "p95 100 ms"
    drawn = sorted(at - kept[row] for row, at in seen if row in kept)
    figures = f"{_ms(statistics.median(drawn))} / {_ms(_p95(drawn))} / {_ms(drawn[-1])} ms"
    what = "row on the disk → on a TV without a browser, 1080 lines (median / p95 / max)"
    yield what, figures, "p95 250 ms"
    yield f"resident memory with {pages} pages", f"{resident:.1f} MB", "80 MB"


def _alone(opened: Any, program: Program) -> Iterator[Line]:
    """Lines on a page that is open alone: its weight, and how soon it paints the table."""
    yield "resident memory with the page, nobody there", f"{program.resident_mb:.1f} MB", "80 MB"
    if opened is None:
        return
    first, weight = [], 0
    for _ in range(FRESH):
        tab = _open(opened, program, "/", SIZES[0][1])
        first.append(tab.evaluate("painted[0][2]"))
        sent = """[...performance.getEntriesByType("navigation"),
                   ...performance.getEntriesByType("resource")]
                  .reduce((sum, one) => sum + one.transferSize, painted[0][3])"""
        weight = tab.evaluate(sent)
        tab.context.close()
    yield "a whole page over the wire, with its first moment", f"{weight / 1000:.1f} kB", "120 kB"
    figures = f"{min(first):.0f} / {max(first):.0f} ms"
    yield "first useful paint in a fresh browser (best / worst)", figures, "500 ms"


def _p95(ordered: list[float]) -> float:
    return ordered[int(len(ordered) * 0.95)]


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.0f}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        sys.exit(serve(*sys.argv[2:]))
    if sys.argv[1:2] == ["listen"]:
        asyncio.run(listen(sys.argv[2]))
    else:
        for each in bench_pages():
            print(*each, sep="   ")
