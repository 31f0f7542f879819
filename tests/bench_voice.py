"""Figures of the voice: how soon after OK it begins, on the box and on a page, and that neither the
record nor the picture waits for it.

A program in place of aplay notes the time of the first sample; the time that a real sound card
takes after that is not included. Pages are opened in a real browser, if there is one.
"""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.app.catalog import CATALOG
from companion.app.speaking import Speaking
from companion.core.keys import Key
from companion.devices.voice import Clips, SoundCard
from companion.record.rows import Setting
from tests.bench_pages import browser
from tests.rig import Rig
from tests.web.in_browser import Site, let_in
from tests.web.live import keep
from tests.web.test_aloud import VOICE

TIMES: Final = 30
TIMES_ON_A_PAGE: Final = 12
SILENCE_MS: Final = 4000
"""Milliseconds until a page has said everything; anything new waits for that."""
PLAY: Final = "1 2 1 OK OK 6 6 OK 1"
LAY, UNDO = "6 3", "BACK OK"
"""A lay whose count somebody pays, and how it is taken back."""
WITHIN_S: Final = 20
PLAYER: Final = """#!/bin/bash
read -rN1
echo $EPOCHREALTIME >> "{begun}"
cat > /dev/null
"""
"""It starts no other program before it has noted the time, in seconds."""
Line = tuple[str, str, str]


def bench_voice() -> Iterator[Line]:
    """Returns lines of the table: (what, measured, goal)."""
    # A clip may still be in the making when the voice is closed.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        silent, _ = _on_the_box(Path(folder), "off")
        kept, begun = _on_the_box(Path(folder), "everything")
        yield "OK → the box begins to speak (median / p95 / max)", _ms(begun), "150 ms"
        yield "OK kept and shown while it is silent", _ms(silent), ""
        yield "OK kept and shown while it speaks", _ms(kept), "the same"
        with browser() as opened:
            if opened is None:
                return
            what = "OK on the box → a page begins to speak"
            yield (
                f"{what}, its browser's voice",
                _ms(_on_a_page(opened, Path(folder), VOICE)),
                "150 ms",
            )
            yield (
                f"{what}, the box's clips",
                _ms(_on_a_page(opened, Path(folder), CLIPS)),
                "150 ms",
            )


def _on_the_box(folder: Path, level: str) -> tuple[list[float], list[float]]:
    """Seconds from OK until the entry is kept and shown, and until the player gets the first
    sample."""
    begun, player = folder / "begun", folder / "aplay"
    player.write_text(PLAYER.format(begun=begun))
    player.chmod(0o755)
    begun.write_text("")
    speaking = Speaking(
        CATALOG, SoundCard(program=str(player)), lambda name: Clips(name, folder), report=print
    )
    speaking.start()
    kept, spoke = list[float](), list[float]()
    with Rig(folder / f"{level}.db").press(PLAY) as rig:
        rig.table._state.keep(Setting("voice", level), None)

        def enter(keys: str) -> None:
            rig.press(keys)
            speaking.tell(rig.snapshots[-1])

        enter("BACK OK 6 6 OK 1")
        if level != "off":
            _until_noted(begun, 0)  # the game's name and the scores, whose clips are made first
        for _ in range(TIMES):
            enter(LAY)
            time.sleep(0.2)
            entries, many = len(rig.entries), len(_times(begun))
            start, pressed = time.time(), time.perf_counter()
            enter("OK")
            kept.append(time.perf_counter() - pressed)
            assert len(rig.entries) == entries + 1
            if level != "off":
                spoke.append(_until_noted(begun, many) - start)
            enter(UNDO)
            if level != "off":
                _until_noted(begun, many + 1)
    speaking.close()
    return kept, spoke


CLIPS: Final = """
  Object.defineProperty(window, "speechSynthesis", { value: undefined });
  window.said = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...more) {
    said.push("a clip");
    return start.apply(this, more);
  };
"""
"""A script for the page that takes the browser's voice away."""
BEGUN: Final = """
  window.begun = [];
  said.push = () => begun.push(performance.timeOrigin + performance.now());
"""
"""A script for the page that notes when it speaks."""


def _on_a_page(opened: Any, folder: Path, voice: str) -> list[float]:
    """Seconds from OK until the page's voice begins."""
    record = folder / f"{len(voice)}.db"
    keep(record, "hand\nRed 6-6")
    site = Site(record, clips=lambda name: Clips(name, folder))
    context = opened.new_context()
    let_in(context, site.port)
    tab = context.new_page()
    tab.add_init_script(voice + BEGUN)
    tab.goto(f"http://127.0.0.1:{site.port}/")
    tab.get_by_role("button", name="Say it aloud").click()
    tab.wait_for_timeout(SILENCE_MS)
    took = list[float]()

    def press(*keys: Key) -> float:
        for key in keys:
            at = time.time()
            site._fingers.move(key, True)
            time.sleep(0.05)
            site._fingers.move(key, False)
            time.sleep(0.08)
        return at

    for _ in range(TIMES_ON_A_PAGE):
        many = tab.evaluate("begun.length")
        at = press(Key.D6, Key.D3, Key.OK)
        tab.wait_for_function("(many) => begun.length > many", arg=many)
        took.append(tab.evaluate("(many) => begun[many]", many) / 1e3 - at)
        press(Key.BACK, Key.OK)
        tab.wait_for_timeout(SILENCE_MS)
    tab.context.close()
    site.close()
    return took


def _times(file: Path) -> list[float]:
    return [float(line) for line in file.read_text().splitlines()]


def _until_noted(file: Path, number: int) -> float:
    """Waits until the player has noted more than `number` times, and returns the next one."""
    end = time.monotonic() + WITHIN_S
    while len(_times(file)) <= number:
        assert time.monotonic() < end
        time.sleep(0.002)
    return _times(file)[number]


def _ms(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    middle = statistics.median(ordered)
    return f"{middle * 1e3:.0f} / {p95 * 1e3:.0f} / {ordered[-1] * 1e3:.0f} ms"
