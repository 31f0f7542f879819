"""The files that the server sends: pages, their styles and modules, and how drawings look."""

from pathlib import Path

from aiohttp import web

from companion.telling.picture import style

STATIC = Path(__file__).parent / "static"
FILES = {
    "/": ("table.html", "text/html"),
    "/tv": ("tv.html", "text/html"),
    "/box": ("box.html", "text/html"),
    "/table.css": ("table.css", "text/css"),
    "/tv.css": ("tv.css", "text/css"),
    "/box.css": ("box.css", "text/css"),
    "/wood.css": ("wood.css", "text/css"),
    "/table.js": ("table.js", "text/javascript"),
    "/telling.js": ("telling.js", "text/javascript"),
    "/keying.js": ("keying.js", "text/javascript"),
    "/picker.js": ("picker.js", "text/javascript"),
    "/door.js": ("door.js", "text/javascript"),
    "/parts.js": ("parts.js", "text/javascript"),
    "/keying.css": ("keying.css", "text/css"),
    "/tv.js": ("tv.js", "text/javascript"),
    "/box.js": ("box.js", "text/javascript"),
    "/only_box.js": ("only_box.js", "text/javascript"),
    "/wire.js": ("wire.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


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
