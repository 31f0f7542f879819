"""Starts and monitors a browser with the TV's page, for people who want one.

A browser may hang while its process still runs, and so may the program that puts its window on the
screen. So both get a question every few seconds. As long as they answer, systemd is notified
(WatchdogSec= of companion-kiosk.service); otherwise it restarts them.

Sources: Chrome DevTools Protocol, Runtime.evaluate; the Wayland protocol, wl_display.sync.
"""

import asyncio
import json
import os
import struct
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

CHECK_EVERY_S: Final = 10.0
STARTING_CHECK_EVERY_S: Final = 1.0
"""Seconds between two questions while the browser is starting, instead of CHECK_EVERY_S."""
ANSWER_WITHIN_S: Final = 8.0
QUESTION: Final = "/^(http|file)/.test(location.protocol) && document.readyState"
"""The question to the page, as JavaScript. An empty page or one of the browser's own pages, such as
an error page, doesn't count as an answer."""
SYNC: Final = struct.pack("=IHHI", 1, 0, 12, 2)
"""The question to the Wayland server: the request wl_display.sync (object 1, request 0, 12 bytes
long), to be answered by object 2."""
SYNCED: Final = struct.pack("=IHH", 2, 0, 12)
"""The first bytes of the answer to SYNC; a number follows."""
COMPOSITOR: Final = ("/usr/bin/cage", "-d", "--")
"""The command that shows the window of a single program on the whole screen."""
BROWSER: Final = (
    "/usr/bin/chromium", "--kiosk", "--noerrdialogs", "--no-first-run", "--incognito",
    "--disable-features=Translate", "--ozone-platform=wayland",
)  # fmt: skip


async def page_answers(folder: Path, session: aiohttp.ClientSession) -> bool:
    """Whether the page answers in the browser whose files are in `folder`."""
    with suppress(aiohttp.ClientError, OSError, ValueError, LookupError, TimeoutError):
        async with asyncio.timeout(ANSWER_WITHIN_S):
            port = (folder / "DevToolsActivePort").read_text(encoding="ascii").split()[0]
            async with session.get(f"http://127.0.0.1:{port}/json/list") as told:
                pages: list[Any] = [one for one in await told.json() if one["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"]) as page:
                question = {"expression": QUESTION}
                await page.send_json({"id": 1, "method": "Runtime.evaluate", "params": question})
                answer = json.loads(await page.receive_str())
                return bool(answer["result"]["result"]["value"] == "complete")
    return False


async def screen_answers(runtime: Path) -> bool:
    """Whether the Wayland server whose socket is in the folder `runtime` answers."""
    with suppress(OSError, ValueError, EOFError, TimeoutError):  # ValueError: no socket yet
        async with asyncio.timeout(ANSWER_WITHIN_S):
            place = min(one for one in runtime.glob("wayland-*") if one.is_socket())
            answers, questions = await asyncio.open_unix_connection(place)
            try:
                questions.write(SYNC)
                return (await answers.readexactly(12)).startswith(SYNCED)
            finally:
                questions.close()
                await questions.wait_closed()
    return False


async def watch_browser(
    command: Sequence[str],
    answers: Callable[[], Awaitable[bool]],
    on_alive: Callable[[], None],
    every_s: float = CHECK_EVERY_S,
) -> int:
    """Runs the browser until it ends, and returns its exit status. Checks every `every_s` seconds
    whether it `answers`, more often until it first does, and calls `on_alive` after each answer."""
    running = await asyncio.create_subprocess_exec(*command)
    pause_s = min(STARTING_CHECK_EVERY_S, every_s)
    try:
        while running.returncode is None:
            if await answers():
                on_alive()
                pause_s = every_s
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await running.wait()
    finally:
        if running.returncode is None:
            running.terminate()
            await running.wait()
    return running.returncode or 0


def forget_last_run(folder: Path) -> None:
    """Removes what a browser that was killed left in its folder: the port on which it listened, and
    the lock that marks it as running. Because of such a lock a new browser wouldn't start if the
    machine's name has changed."""
    for name in ("DevToolsActivePort", "SingletonLock", "SingletonCookie", "SingletonSocket"):
        (folder / name).unlink(missing_ok=True)


async def link_to_tv(page: str, secret: str, session: aiohttp.ClientSession) -> str:
    """A link that lets one browser in and shows it the TV's page. Waits until the table's page
    answers. The link has a ticket instead of the machine's `secret`, since every user of the
    machine may read the browser's command line."""
    headers = {"Authorization": f"Bearer {secret}"}
    while True:
        with suppress(aiohttp.ClientError, OSError, ValueError, LookupError, TimeoutError):
            async with session.post(
                f"{page}/open", headers=headers, timeout=aiohttp.ClientTimeout(ANSWER_WITHIN_S)
            ) as told:
                told.raise_for_status()
                return f"{page}{(await told.json())['path']}/tv"
        await asyncio.sleep(STARTING_CHECK_EVERY_S)


async def _show(
    page: str, secret: str, command: Sequence[str], folder: Path, on_alive: Callable[[], None]
) -> int:
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"))
    async with aiohttp.ClientSession() as session:
        # As an app, the page has no address bar, and the browser starts fewer services.
        app = f"--app={await link_to_tv(page, secret, session)}"

        async def is_alive() -> bool:
            return await screen_answers(runtime) and await page_answers(folder, session)

        return await watch_browser([*command, app], is_alive, on_alive)


def show_in_browser(page: str, secret: str, folder: Path, on_alive: Callable[[], None]) -> int:
    """Shows the TV's page in a browser on this machine's screen until the browser ends; returns its
    exit status. The machine's `secret` lets the browser in. Calls `on_alive` as soon as the page is
    shown, and regularly while it is. `folder`: for the browser's files."""
    keep = ["--remote-debugging-port=0", f"--user-data-dir={folder}"]
    try:
        forget_last_run(folder)
        return asyncio.run(
            _show(page.rstrip("/"), secret, [*COMPOSITOR, *BROWSER, *keep], folder, on_alive)
        )
    except OSError as error:
        print(f"The TV's browser can't be started: {error}", file=sys.stderr)
        return 1
