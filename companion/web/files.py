"""The files that the server sends: pages with their words, their styles and modules, and how
drawings look."""

from pathlib import Path

from aiohttp import web

from companion.telling.picture import style
from companion.web.words import catalog_module, filled

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


def add_files(app: web.Application) -> None:
    """Gives each file its route."""
    for path in FILES:
        app.router.add_get(path, _send_file)
    app.router.add_get("/drawing.css", _send_style)
    app.router.add_get("/catalog.js", _send_words)


async def _send_file(request: web.Request) -> web.Response:
    name, kind = FILES[request.path]
    text = (STATIC / name).read_text("utf-8")
    if kind == "text/html":
        text = filled(text)
    return _packed(text, kind)


async def _send_words(_request: web.Request) -> web.Response:
    """What the scripts say by themselves."""
    return _packed(catalog_module(), "text/javascript")


async def _send_style(_request: web.Request) -> web.Response:
    """How drawings look."""
    return _packed(style(), "text/css")


def _packed(text: str, kind: str) -> web.Response:
    """The text, compressed for whoever can read that."""
    response = web.Response(text=text, content_type=kind)
    response.enable_compression()
    return response
