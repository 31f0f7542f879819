"""The TV's page in a browser, for who wants that: started, and watched.

A browser may stand still and still count as running. So its page is asked for a word every few
seconds; as long as it answers, systemd hears so (WatchdogSec= of companion-kiosk.service), and else
starts it anew.

Source: Chrome DevTools Protocol, Runtime.evaluate.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

ASKS_EVERY_S: Final = 10.0
ANSWERS_S: Final = 8.0
QUESTION: Final = "document.readyState"
SHOW: Final = ("/usr/bin/cage", "-d", "--")
"""What shows one program's window on the whole screen."""
BROWSER: Final = (
    "/usr/bin/chromium", "--kiosk", "--noerrdialogs", "--no-first-run", "--incognito",
    "--disable-features=Translate", "--ozone-platform=wayland",
)  # fmt: skip


async def page_answers(folder: Path, session: aiohttp.ClientSession) -> bool:
    """Whether the page of the browser that keeps its things in `folder` answers."""
    with suppress(aiohttp.ClientError, OSError, ValueError, IndexError, TimeoutError):
        async with asyncio.timeout(ANSWERS_S):
            port = (folder / "DevToolsActivePort").read_text(encoding="ascii").split()[0]
            async with session.get(f"http://127.0.0.1:{port}/json/list") as told:
                pages: list[Any] = [one for one in await told.json() if one["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"]) as page:
                question = {"expression": QUESTION}
                await page.send_json({"id": 1, "method": "Runtime.evaluate", "params": question})
                answer = json.loads(await page.receive_str())
                return bool(answer["result"]["result"]["value"] == "complete")
    return False


async def watch_browser(
    command: Sequence[str], folder: Path, lives: Callable[[], None], every_s: float = ASKS_EVERY_S
) -> int:
    """Runs the browser until it ends; gives its exit status. `lives` is called whenever its page
    has answered."""
    (folder / "DevToolsActivePort").unlink(missing_ok=True)
    running = await asyncio.create_subprocess_exec(*command)
    try:
        async with aiohttp.ClientSession() as session:
            while running.returncode is None:
                if await page_answers(folder, session):
                    lives()
                with suppress(TimeoutError):
                    await asyncio.wait_for(running.wait(), every_s)
    finally:
        if running.returncode is None:
            running.terminate()
            await running.wait()
    return running.returncode or 0


def show_in_browser(page: str, folder: Path, lives: Callable[[], None]) -> int:
    """Shows the TV's page in a browser on this machine's screen until that ends."""
    keep = ["--remote-debugging-port=0", f"--user-data-dir={folder}"]
    command = [*SHOW, *BROWSER, *keep, f"{page.rstrip('/')}/tv"]
    try:
        return asyncio.run(watch_browser(command, folder, lives))
    except OSError as error:
        print(f"The TV's browser can't be started: {error}", file=sys.stderr)
        return 1
