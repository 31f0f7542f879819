"""The help that pages link to: the manual and the quick cards, with their pictures. They lie in the
package (help/), made from docs/manual.md by tests/manual/help.py."""

from pathlib import Path
from typing import Final

from aiohttp import web

HELP: Final = Path(__file__).parent / "help"
KINDS: Final = {".png": "image/png", ".svg": "image/svg+xml"}


def add_help(app: web.Application) -> None:
    """Gives the help its routes."""
    app.router.add_get("/help/{page:[a-z-]+}", _send_page)
    app.router.add_get("/help/{folder:pictures|phone|drawings}/{name:[a-z0-9_.]+}", _send_picture)


async def _send_page(request: web.Request) -> web.Response:
    path = HELP / f"{request.match_info['page']}.html"
    if not path.is_file():
        raise web.HTTPNotFound
    response = web.Response(text=path.read_text("utf-8"), content_type="text/html")
    response.enable_compression()
    return response


async def _send_picture(request: web.Request) -> web.Response:
    path = HELP / request.match_info["folder"] / request.match_info["name"]
    if path.suffix not in KINDS or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=KINDS[path.suffix])
