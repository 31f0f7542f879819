"""The files that the server sends: pages with their words, their styles and modules, and how
drawings look."""

import re
from functools import cache
from pathlib import Path

from aiohttp import web

from companion.presentation.drawing.svg import style
from companion.web.help import add_help
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
_IMPORTED = re.compile(r'^(?:import|export) [^"]*from "\./([a-z_]+\.js)";', re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="/([a-z_]+\.js)">')


def add_files(app: web.Application) -> None:
    """Gives each file its route."""
    for path in FILES:
        app.router.add_get(path, _send_file)
    add_help(app)
    app.router.add_get("/drawing.css", _send_style)
    app.router.add_get("/catalog.js", _send_words)


async def _send_file(request: web.Request) -> web.Response:
    name, kind = FILES[request.path]
    text = (STATIC / name).read_text("utf-8")
    if kind == "text/html":
        text = _with_its_modules(filled(text))
    return _packed(text, kind)


def _with_its_modules(page: str) -> str:
    """The page's HTML, naming every module that its script comes to need: so a browser fetches them
    at once, not one behind the other."""
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
