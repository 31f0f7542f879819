"""Pages of past evenings, made in a separate process.

Everybody who plays may read them, with the access code that the table's page stores as a cookie for
these addresses. People who only watch may not: their code is only for the current evening. Browsers
and programs of this machine itself need no access code, as for the table itself. While the record
is counted for the first time, a page shows the progress and reloads itself.
"""

import asyncio
import json
import logging
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final

from aiohttp import web

import companion
from companion.core.budgets import PAGES_BEING_MADE
from companion.core.html import Html, root
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.presentation.language import ENGLISH, Language
from companion.presentation.page_words import PAGE_WORDS, PAST
from companion.web.access import Access, AccessRules
from companion.web.files import fill_placeholders, root_values, words_in

ROOT: Final = "/evenings"
EVENINGS_FILES: Final = Path(__file__).parent / "evenings"
"""The folder with the style and script of these pages, which need no access code."""
KINDS: Final = {".css": "text/css", ".js": "text/javascript"}
COOKIE: Final = "word"
WITHOUT_PROGRESS_S: Final = 1.5
"""Seconds after which a request for a page that is still being made is answered with one that shows
the progress and reloads."""
RELOAD_AFTER_S: Final = 1
IDLE_S: Final = 600.0
"""Seconds without a request after which the process that makes pages ends."""
LONGEST_LINE: Final = 4096
PAST_WORDS: Final[Mapping[str, str]] = {**PAGE_WORDS, **PAST}
_log = logging.getLogger("asyncio")

STATUS_PAGE: Final = """<!doctype html>
<html{{value.data-root}} lang="{{page.language}}" dir="{{page.direction}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{label.to-past}}</title>
<link rel="icon" href="{{value.root}}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{{value.root}}/tokens.css">
<link rel="stylesheet" href="{{value.root}}/table.css">
<link rel="stylesheet" href="{{value.root}}/evenings.css">
</head>
<body class="past">
<nav class="ways" aria-label="{{label.other-pages}}">
<a href="{{value.root}}/">{{label.to-table}}</a></nav>
<main><h1>{{label.to-past}}</h1><p class="lead" role="status">{{value.said}}</p>
{{value.progress}}</main>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class PageResult:
    """A page with status 200, or another status if there is none."""

    status: int
    html: bytes = b""


class PageMaker:
    """The process that makes pages; `command` runs it (app/past.py). It is started for the first
    request. Belongs to one event loop."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.Task[None] | None = None
        self._closed = False
        self.done = 0.0
        """The share of the record that is counted for the page being made now, 0 to 1."""

    async def make(
        self, path: str, query: dict[str, str], language: str = ENGLISH.name, below: str = ""
    ) -> PageResult:
        """Makes the page at `path` in the named language; pages are made one after the other.
        `query`: the query of its address; `below`: the path before all addresses."""
        async with self._lock:
            if self._closed:
                return PageResult(503)
            self.done = 0.0
            if self._idle:
                self._idle.cancel()
            try:
                return await self._make_page(path, query, language, below)
            except (OSError, ValueError, EOFError) as error:
                _log.error("the pages of evenings can't be made: %s", error)
                await self._end()
                return PageResult(500)
            finally:
                if not self._closed:
                    self._idle = asyncio.create_task(self._end_when_idle())

    async def close(self) -> None:
        """Ends the process; later requests get status 503. The caller ensures that no page is being
        made."""
        self._closed = True
        if self._idle:
            self._idle.cancel()
            await asyncio.wait({self._idle})
        await self._end()

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(IDLE_S)
        async with self._lock:
            await self._end()

    async def _end(self) -> None:
        """Ends the process and the processes that it has started to share its work."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()

    async def _make_page(
        self, path: str, query: dict[str, str], language: str, below: str
    ) -> PageResult:
        process = self._process
        if process is None or process.returncode is not None:
            await self._end()
            process = self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=program_environment(),
                limit=LONGEST_LINE,
                process_group=0,
            )
        assert process.stdin is not None and process.stdout is not None
        question = {"path": path, "asked": query, "language": language, "below": below}
        process.stdin.write(json.dumps(question).encode() + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            news = json.loads(line)
            if "status" in news:
                return PageResult(news["status"], await process.stdout.readexactly(news["length"]))
            self.done = news["done"]
        raise EOFError("the process has ended")


def program_environment() -> dict[str, str]:
    """The environment for another process of this program: it makes Python load this program's
    modules, not modules from the working directory."""
    places = [str(Path(companion.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    found = os.pathsep.join(filter(None, places))
    return {**os.environ, "PYTHONPATH": found, "PYTHONSAFEPATH": "1"}


def past_words(language: Language) -> Mapping[str, str]:
    return words_in(language, PAST_WORDS)


class PastPages:
    """The routes below /evenings. `may_read` decides whether a request may read the pages,
    `request_language` in which language; `words` returns those for the pages that explain why there
    is nothing to see."""

    def __init__(
        self,
        may_read: Callable[[web.Request], bool],
        maker: PageMaker,
        request_language: Callable[[web.Request], Language] = lambda _: ENGLISH,
        words: Callable[[Language], Mapping[str, str]] = past_words,
    ) -> None:
        self._may_read, self._maker = may_read, maker
        self._request_language, self._words = request_language, words
        self._making: dict[tuple[str, str, str], asyncio.Task[PageResult]] = {}

    def add_to(self, app: web.Application) -> None:
        """Adds the route of the pages."""
        for path in sorted(EVENINGS_FILES.iterdir()):
            app.router.add_get(f"/{path.name}", _send_file)
        app.router.add_get(ROOT, self._send)
        app.router.add_get(ROOT + "/{more:.*}", self._send)
        app.on_shutdown.append(self._close)

    async def _close(self, _app: web.Application) -> None:
        for making in self._making.values():
            making.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        await self._maker.close()

    async def _send(self, request: web.Request) -> web.Response:
        language = self._request_language(request)
        if not (is_same_origin(request) and self._may_read(request)):
            return self._status_page(language, 403, "past.closed")
        where = root(), request.path_qs, language.name
        making = self._making.get(where)
        if making is None:
            if len(self._making) >= PAGES_BEING_MADE.most:
                return self._status_page(language, 503, "past.busy", again=True)
            asked = dict(request.query)
            making = asyncio.create_task(
                self._maker.make(request.path, asked, language.name, root())
            )
            self._making[where] = making
        await asyncio.wait({making}, timeout=WITHOUT_PROGRESS_S)
        if not making.done():
            return self._status_page(
                language, 200, "past.making", self._maker.done or None, again=True
            )
        self._making.pop(where, None)
        made = making.result()
        if made.status != 200:
            said = "past.nothing" if made.status == 404 else "past.fault"
            return self._status_page(language, made.status, said)
        response = web.Response(body=made.html, content_type="text/html", charset="utf-8")
        response.enable_compression()
        return response

    def _status_page(
        self,
        language: Language,
        status: int,
        said: str,
        done: float | None = None,
        *,
        again: bool = False,
    ) -> web.Response:
        """A page with the catalogue's text for the key `said`. `done`: the share counted so far, 0
        to 1, shown as a bar; `again`: whether the page reloads itself."""
        bar = ""
        if done is not None:
            percent = round(done * 100)
            counted = phrase("{percent} % counted", percent=percent)
            shown = escape(language.translate(counted))
            bar = (
                f'<p><progress max="100" value="{percent}" aria-label="{shown}"></progress> {shown}'
            )
        words = self._words(language)
        values = {"value.said": words[said], "value.progress": Html(bar)}
        page = fill_placeholders(STATUS_PAGE, {**words, **root_values(), **values})
        response = web.Response(status=status, text=page, content_type="text/html")
        if again:
            response.headers["Refresh"] = str(RELOAD_AFTER_S)
        return response


def is_same_origin(request: web.Request) -> bool:
    """Whether the request comes from our own pages or from the address bar. Other sites must not be
    able to bring visitors here or to measure how long an answer takes."""
    return request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")


def may_read_past(
    access_rules: AccessRules, end_evening: Callable[[], None]
) -> Callable[[web.Request], bool]:
    """Returns a function that decides whether a request may read a table's past evenings: it needs
    a play code, or has to come from this machine itself. `end_evening` replaces the evening's
    access code if the evening is over."""

    def may_read(request: web.Request) -> bool:
        end_evening()
        if access_rules.local.allows(request):
            return True
        return access_rules.access(request.cookies.get(COOKIE)) is Access.PLAY

    return may_read


async def _send_file(request: web.Request) -> web.Response:
    path = EVENINGS_FILES / request.path[1:]
    response = web.Response(text=path.read_text("utf-8"), content_type=KINDS[path.suffix])
    response.enable_compression()
    return response
