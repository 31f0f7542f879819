"""The files that the server sends: pages, their styles and modules, and how drawings look."""

from pathlib import Path

from aiohttp import web

from companion.telling.picture import style

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


async def _send_file(request: web.Request) -> web.Response:
    name, kind = FILES[request.path]
    return web.Response(body=(STATIC / name).read_bytes(), content_type=kind, charset="utf-8")


async def _send_style(_request: web.Request) -> web.Response:
    """How drawings look."""
    return web.Response(text=style(), content_type="text/css")
