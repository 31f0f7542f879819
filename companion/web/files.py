"""The files that the server sends: pages with their words, their styles and modules, how drawings
look, and the help that pages link to."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.presentation.drawing.svg import style
from companion.presentation.language import Language
from companion.web.words import catalog_module, filled, words_in

STATIC = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
PAGES = {"table.html": "/", "tv.html": "/tv", "box.html": "/box"}
FILES = {
    PAGES.get(path.name, f"/{path.name}"): (path.name, KINDS[path.suffix])
    for path in sorted(STATIC.iterdir())
}
"""The page's files, by the path of their address."""
_IMPORTED = re.compile(r'^(?:import|export) [^"]*from "\./([a-z_]+\.js)";', re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="/([a-z_]+\.js)">')


def add_files(app: web.Application, language: Language) -> None:
    """Gives each file its route, the pages with their words in that language."""
    words = words_in(language)

    async def send_file(request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        text = (STATIC / name).read_text("utf-8")
        if kind == "text/html":
            text = _with_its_modules(filled(text, words))
        return _packed(text, kind)

    async def send_words(_request: web.Request) -> web.Response:
        return _packed(catalog_module(words), "text/javascript")

    for path in FILES:
        app.router.add_get(path, send_file)
    app.router.add_get("/help/{page:[a-z-]+}", _send_help)
    app.router.add_get("/help/{folder:pictures|phone|drawings}/{name:[a-z0-9_.]+}", _send_picture)
    app.router.add_get("/drawing.css", _send_style)
    app.router.add_get("/catalog.js", send_words)


def _with_its_modules(page: str) -> str:
    """The page's HTML with a link to each module that its script comes to need: so a browser
    fetches them at once, not one behind the other."""
    script = _SCRIPT.search(page)
    found = list(_modules(script[1])) if script else []
    links = "".join(f'  <link rel="modulepreload" href="/{name}">\n' for name in found)
    return page.replace("</head>", f"{links}</head>", 1)


@cache
def _modules(script: str) -> tuple[str, ...]:
    """A script and all that it imports, each once."""
    found, waiting = dict[str, None](), [script]
    while waiting:
        name = waiting.pop()
        if name not in found and (STATIC / name).exists():
            waiting += _IMPORTED.findall((STATIC / name).read_text("utf-8"))
        found[name] = None
    return tuple(found)


async def _send_style(_request: web.Request) -> web.Response:
    """Sends the style of drawings."""
    return _packed(style(), "text/css")


def _packed(text: str, kind: str) -> web.Response:
    """The text, compressed for whoever can read that."""
    response = web.Response(text=text, content_type=kind)
    response.enable_compression()
    return response


# ---------------------------------------------------------------- help


HELP: Final = Path(__file__).parent / "help"
"""The manual and the quick cards, with their pictures: made of docs/manual by
tests/manual/help.py, as tests/manual/renew.py says."""
HELP_PICTURES: Final = {".png": "image/png", ".svg": "image/svg+xml"}


async def _send_help(request: web.Request) -> web.Response:
    path = HELP / f"{request.match_info['page']}.html"
    if not path.is_file():
        raise web.HTTPNotFound
    response = web.Response(text=path.read_text("utf-8"), content_type="text/html")
    response.enable_compression()
    return response


async def _send_picture(request: web.Request) -> web.Response:
    path = HELP / request.match_info["folder"] / request.match_info["name"]
    if path.suffix not in HELP_PICTURES or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=HELP_PICTURES[path.suffix])
