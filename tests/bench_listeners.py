"""Figures of the box while programs listen to it: how soon a key leads to a picture, and to a row
on a phone, and how much memory the box takes. Measured without listeners, with a broker and a hook
that work, and with some that are dead, silent, hostile, or have an expired certificate.

The program is a process of its own, and so are broker and hook. Key and picture go over the page's
WebSocket, as on the virtual box.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

from tests.bench_pages import Line, Program, _game
from tests.web.listeners.bad_servers import flood, forgetful, huge, rubbish, serving, silent
from tests.web.listeners.certificates import certificate
from tests.web.listeners.mosquitto import mosquitto
from tests.web.listeners.test_hooks import hook
from tests.web.live import keep

KEYED, PRESSED = 40, 40
PAUSE_S = 0.3
"""Seconds between two rows: people are slower."""
Config = str


@contextmanager
def _nobody(_folder: Path) -> Iterator[Config]:
    yield ""


@contextmanager
def _well(folder: Path) -> Iterator[Config]:
    with mosquitto(folder) as broker, hook() as server:
        yield _config(f"mqtt://127.0.0.1:{broker.port}", f"http://127.0.0.1:{server.port}")


@contextmanager
def _dead(_folder: Path) -> Iterator[Config]:
    yield _config("mqtt://127.0.0.1:1", "http://127.0.0.1:1")


@contextmanager
def _ended(folder: Path) -> Iterator[Config]:
    cert, key = certificate(folder, ended=True)
    tls = (f"certfile {cert}", f"keyfile {key}", "allow_anonymous true")
    with mosquitto(folder, *tls) as broker, hook(tls=(cert, key)) as server:
        at = f"127.0.0.1:{broker.port}", f"127.0.0.1:{server.port}"
        yield _config(f"mqtts://{at[0]}", f"https://{at[1]}", f'ca = "{cert}"')


def _bad(bad: Any) -> Any:
    @contextmanager
    def serves(_folder: Path) -> Iterator[Config]:
        with serving(bad) as server:
            yield _config(f"mqtt://127.0.0.1:{server.port}", f"http://127.0.0.1:{server.port}")

    return serves


def _config(broker: str, hooks: str, more: str = "") -> Config:
    return f'[mqtt]\nbroker = "{broker}"\n{more}\n[hooks]\naddresses = "{hooks}"\n'


CASES = {
    "nobody hears": _nobody,
    "broker and hook are well": _well,
    "nothing listens there": _dead,
    "they are silent": _bad(silent),
    "nothing is confirmed": _bad(forgetful),
    "rubbish without an end": _bad(rubbish),
    "messages without an end": _bad(flood),
    "a message of 256 MB": _bad(huge),
    "the certificate has ended": _ended,
}


def bench_listeners() -> Iterator[Line]:
    """Returns lines of the table: (what, measured, goal)."""
    alone = 0.0
    for name, case in CASES.items():
        with TemporaryDirectory() as text, ExitStack() as stack:
            folder = Path(text)
            keep(folder / "record.db", "hand")
            (folder / "c.toml").write_text(stack.enter_context(case(folder)))
            program = Program(folder / "record.db", "--config", str(folder / "c.toml"))
            pictures, heard = asyncio.run(_visit(program.url))
            resident = program.resident_mb
            kept = program.end()
        rows = sorted(at - kept[row] for row, at in heard if row in kept)
        alone = alone or resident
        yield f"{name}: key → picture (median / p95)", _figures(pictures), "as with nobody"
        yield f"{name}: row → phone (median / p95)", _figures(rows), "as with nobody"
        yield f"{name}: resident memory", f"{resident:.1f} MB", f"{resident - alone:+.1f}, goal +5"


def _figures(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"{median(ordered) * 1e3:.1f} / {ordered[int(len(ordered) * 0.95)] * 1e3:.1f} ms"


async def _visit(url: str) -> tuple[list[float], list[tuple[int, float]]]:
    """Visits the page and plays; returns the seconds from each key to its picture, and when the
    page got each row."""
    heard: list[tuple[int, float]] = []
    stands: dict[str, Any] = {}
    pictures: asyncio.Queue[float] = asyncio.Queue()
    async with aiohttp.ClientSession(url) as session:
        shown = {"Authorization": f"Bearer {os.environ['TABLE_SECRET']}"}
        async with session.get("/token", headers=shown) as answer:
            word = (await answer.json())["token"]
        page = await session.ws_connect("/live", headers={"Origin": url})
        await page.send_json({"n": 0, "hello": word, "wants": ["box", "wide"]})
        await page.send_json({"n": 1, "role": {"name": "scorekeeper"}})

        async def hear() -> None:
            async for message in page:
                if message.type is aiohttp.WSMsgType.BINARY:
                    pictures.put_nowait(time.perf_counter())
                elif (said := message.json()).get("moment"):
                    heard.append((said["moment"]["row"], time.time()))
                    stands.update(said["keys"])

        hearing = asyncio.create_task(hear())
        while not stands:
            await asyncio.sleep(0.05)
        number = 1
        for number, entry in enumerate(_game()[:KEYED], 2):
            named = {name: stands[name] for name in ("run", "game", "tip")}
            propose = {"surface": "phone-bench", "number": number, "text": entry, **named}
            await page.send_json({"n": number, "propose": propose})
            await asyncio.sleep(PAUSE_S)
        took = [await _press(page, pictures, number + each) for each in range(1, PRESSED)]
        hearing.cancel()
    return [one for one in took if one], heard


async def _press(page: Any, pictures: "asyncio.Queue[float]", number: int) -> float:
    """Presses a key; returns the seconds until the next picture (0 if no picture came)."""
    key = "MENU" if number % 2 else "BACK"
    await asyncio.sleep(PAUSE_S / 2)
    while not pictures.empty():
        pictures.get_nowait()
    begun = time.perf_counter()
    await page.send_json({"n": 1000 + 2 * number, "key": key, "down": True})
    await page.send_json({"n": 1001 + 2 * number, "key": key, "down": False})
    try:
        return await asyncio.wait_for(pictures.get(), 2.0) - begun
    except TimeoutError:
        return 0.0


if __name__ == "__main__":
    for each in bench_listeners():
        print(*each, sep="   ", flush=True)
