"""The files that the server sends: pages with their words, their styles and modules, how drawings
look, and the help that pages link to."""

import re
from collections.abc import Mapping
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
PAGES = {"table.html": "/", "tv.html": "/tv", "box.html": "/box", "overlay.html": "/overlay"}
FILES = {
    PAGES.get(path.name, f"/{path.name}"): (path.name, KINDS[path.suffix])
    for path in sorted(STATIC.iterdir())
    if path.is_file()
}
"""The page's files, by the path of their address."""
PHOTO: Final = STATIC / "photo"
"""The reader of photos, which a page loads only when one was taken."""
_IMPORTED = re.compile(r'^(?:import|export) [^"]*from "\./([a-z_]+\.js)";', re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="/([a-z_]+\.js)">')


def add_files(app: web.Application, language: Language) -> None:
    """Gives each file of a table its route, the pages with their words in that language."""
    words = words_in(language)

    async def send_page(request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        return packed(page_text(STATIC / name, words), kind)

    for path in PAGES.values():
        app.router.add_get(path, send_page)
    add_looks(app, words)


def add_looks(app: web.Application, words: Mapping[str, str], *more: Path) -> None:
    """Gives all but the pages its route: styles and scripts, those of the folders `more`, too, the
    catalogue of these words, the help."""
    folders = STATIC, *more
    looks = {
        f"/{path.name}": path for folder in folders for path in folder.iterdir() if path.is_file()
    }
    looks |= {f"/photo/{path.name}": path for path in PHOTO.iterdir() if path.suffix in KINDS}

    async def send_look(request: web.Request) -> web.Response:
        path = looks[request.path]
        return packed(path.read_text("utf-8"), KINDS[path.suffix])

    async def send_words(_request: web.Request) -> web.Response:
        return packed(catalog_module(words), "text/javascript")

    for address, path in looks.items():
        if path.suffix != ".html":
            app.router.add_get(address, send_look)
    app.router.add_get("/help/{page:[a-z-]+}", _send_help)
    app.router.add_get("/help/{folder:pictures|phone|drawings}/{name:[a-z0-9_.]+}", _send_picture)
    app.router.add_get("/drawing.css", _send_style)
    app.router.add_get("/catalog.js", send_words)


def page_text(page: Path, words: Mapping[str, str]) -> str:
    """A page's HTML with its words, and with a link to each module that its script comes to need:
    so a browser fetches them at once, not one behind the other. Modules lie in the page's folder or
    among those of tables."""
    text = filled(page.read_text("utf-8"), words)
    script = _SCRIPT.search(text)
    found = list(_modules(page.parent, script[1])) if script else []
    links = "".join(f'  <link rel="modulepreload" href="/{name}">\n' for name in found)
    return text.replace("</head>", f"{links}</head>", 1)


@cache
def _modules(folder: Path, script: str) -> tuple[str, ...]:
    """A script and all that it imports, each once."""
    found, waiting = dict[str, None](), [script]
    while waiting:
        name = waiting.pop()
        path = next((one for place in (folder, STATIC) if (one := place / name).exists()), None)
        if name not in found and path is not None:
            waiting += _IMPORTED.findall(path.read_text("utf-8"))
        found[name] = None
    return tuple(found)


async def _send_style(_request: web.Request) -> web.Response:
    """Sends the style of drawings."""
    return packed(style(), "text/css")


def packed(text: str, kind: str) -> web.Response:
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
