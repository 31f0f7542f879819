"""The program that puts the TV's browser on the screen is watched, as the browser is; and the
remains of a killed browser don't stop a new one."""

import asyncio
import os
import struct
from pathlib import Path

import pytest

from companion.web.tv import browser
from companion.web.tv.browser import SYNC, forget_last_run, screen_answers, watch_browser


async def nothing() -> bool:
    return False


def test_the_program_ends_with_the_browser() -> None:
    assert asyncio.run(watch_browser(["/bin/false"], nothing, lambda: None, 0.2)) == 1


def answered(runtime: Path, answer: bytes) -> tuple[bool, bytes]:
    """Whether a server that gives this answer counts as alive; and the request that it got."""
    asked = b""

    async def serve(questions: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked = await questions.readexactly(len(SYNC))
        answers.write(answer)
        await questions.read()
        answers.close()
        await answers.wait_closed()
        ended.set()

    ended = asyncio.Event()

    async def ask() -> bool:
        async with await asyncio.start_unix_server(serve, runtime / "wayland-0"):
            answers = await screen_answers(runtime)
            await ended.wait()
            return answers

    return asyncio.run(ask()), asked


def test_an_answering_screen_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "wayland-0.lock").touch()
    synced = struct.pack("=IIIIII", 2, 12 << 16, 77, 1, 12 << 16 | 1, 2)
    assert answered(tmp_path, synced) == (True, struct.pack("=III", 1, 12 << 16, 2))


def test_a_hanging_or_failing_screen_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "ANSWER_WITHIN_S", 0.2)
    assert not asyncio.run(screen_answers(tmp_path)), "there is none yet"
    assert answered(tmp_path, b"") == (False, SYNC)
    complaint = struct.pack("=IIIIII", 1, 24 << 16, 1, 0, 0, 0)
    assert answered(tmp_path, complaint) == (False, SYNC)


def test_the_screen_is_asked_more_often_until_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "STARTING_CHECK_EVERY_S", 0.01)
    asked = lived = 0

    async def answers() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    def lives() -> None:
        nonlocal lived
        lived += 1
        ends.open("w").close()

    ends = tmp_path / "ends"
    os.mkfifo(ends)
    asyncio.run(watch_browser(["/bin/cat", str(ends)], answers, lives, 60.0))
    assert (asked, lived) == (3, 1)


def test_a_killed_browser_does_not_keep_another_from_starting(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to("another-name-4711")
    (tmp_path / "DevToolsActivePort").write_text("4711")
    forget_last_run(tmp_path)
    assert list(tmp_path.iterdir()) == []
