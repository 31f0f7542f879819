"""The files that the server sends: pages with their words, styles and modules, the style of
drawings, and the help that pages link to."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.core.html import Html, element, joined, said_by
from companion.core.languages import OWN_NAMES, direction
from companion.presentation.drawing.svg import style
from companion.presentation.language import ENGLISH, Language
from companion.presentation.languages import language_of
from companion.presentation.page_words import PAGE_WORDS
from companion.web.words import LANGUAGE, VARIES, catalog_module, filled, words_in

STATIC = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
PAGES = {"table.html": "/", "tv.html": "/tv", "box.html": "/box", "overlay.html": "/overlay"}
FOLLOWS = ("tv.html", "overlay.html")
"""Pages that a whole room looks at: they are in the table's language."""
FILES = {
    PAGES.get(path.name, f"/{path.name}"): (path.name, KINDS[path.suffix])
    for path in sorted(STATIC.iterdir())
    if path.is_file()
}
"""The page's files, by the path of their address."""
PHOTO: Final = STATIC / "photo"
"""The folder of the photo reader, which a page loads only when a photo was taken."""
_IMPORTED = re.compile(r'^(?:import|export) [^"]*from "\./([a-z_]+\.js)";', re.MULTILINE)
_PART = re.compile(r" *<!-- part: ([a-z_]+\.html) -->\n")
_SCRIPT = re.compile(r'<script type="module" src="/([a-z_]+\.js)">')


Reads = Callable[[web.Request], Language]
"""Gives the language for the person who sends a request."""


def add_files(app: web.Application, reads: Reads, spoken: Callable[[], Language]) -> None:
    """Adds the routes of all files of a table. Pages are in the language that `reads` gives for the
    request, those of FOLLOWS in the language `spoken` at the table."""

    async def send_page(request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        language = spoken() if name in FOLLOWS else reads(request)
        response = packed(page_text(STATIC / name, words_in(language)), kind)
        response.headers["Vary"] = VARIES
        return response

    for path in PAGES.values():
        app.router.add_get(path, send_page)
    add_looks(app, spoken)


def add_looks(
    app: web.Application,
    spoken: Callable[[], Language],
    *more: Path,
    english: Mapping[str, str] = PAGE_WORDS,
) -> None:
    """Adds the routes of everything but the pages: styles and scripts, also those in the folders
    `more`, the catalogue of the words `english`, and the help. Scripts and the catalogue are also
    found in a folder for each language, as `page_text` links to them; outside these folders the
    catalogue is in the language that is `spoken`."""
    folders = STATIC, *more
    looks = {path.name: path for folder in folders for path in folder.iterdir() if path.is_file()}
    looks |= {f"photo/{path.name}": path for path in PHOTO.iterdir() if path.suffix in KINDS}

    async def send_look(request: web.Request) -> web.Response:
        path = looks[request.match_info["name"]]
        return packed(path.read_text("utf-8"), KINDS[path.suffix])

    async def send_words(request: web.Request) -> web.Response:
        name = request.match_info.get("language")
        language = spoken() if name is None else language_of(name)
        return packed(catalog_module(words_in(language, english)), "text/javascript")

    names = "|".join(name for name in OWN_NAMES)
    for folder in ("", f"/{{language:{names}}}"):
        app.router.add_get(f"{folder}/catalog.js", send_words)
    for address, path in looks.items():
        if path.suffix != ".html":
            app.router.add_get(f"/{{name:{re.escape(address)}}}", send_look)
        if path.suffix == ".js":
            app.router.add_get(f"/{{language:{names}}}/{{name:{re.escape(address)}}}", send_look)
    app.router.add_get(f"/help/{{page:(?:(?:{names})/)?[a-z-]+}}", _send_help)
    shown = f"phone|drawings|pictures(?:/(?:{names}))?"
    app.router.add_get(f"/help/{{folder:{shown}}}/{{name:[a-z0-9_.]+}}", _send_picture)
    app.router.add_get("/drawing.css", _send_style)


def page_text(page: Path, words: Mapping[str, str]) -> str:
    """A page's HTML with its parts and its words put in, and a link to each module that its script
    will need, so that a browser fetches them all at once. Parts lie in the page's folder, modules
    there or in STATIC. In a language other than English the links lead through a folder of the
    language, which has its catalogue."""

    def read(name: str) -> str:
        return (page.parent / name).read_text("utf-8")

    text = filled(_PART.sub(lambda part: read(part[1]), read(page.name)), words)
    language = words[LANGUAGE]
    folder = script_folder(language)
    script = _SCRIPT.search(text)
    found = list(_modules(page.parent, script[1])) if script else []
    links = "".join(f'  <link rel="modulepreload" href="{folder}/{name}">\n' for name in found)
    text = _SCRIPT.sub(rf'<script type="module" src="{folder}/\1">', text)
    choices = "".join(
        f'<option value="{name}" lang="{name}"{" selected" if name == language else ""}>{own}'
        for name, own in OWN_NAMES.items()
    )
    return text.replace("</head>", f"{links}</head>", 1).replace(CHOICES, choices, 1)


def script_folder(language: str) -> str:
    """The folder of the scripts in the language of that name, which has its catalogue; empty:
    English."""
    return f"/{language}" if language in OWN_NAMES and language != ENGLISH.name else ""


CHOICES: Final = "<!-- languages -->"
"""The place in a page's HTML for the list of languages to choose from."""


@cache
def _modules(folder: Path, script: str) -> tuple[str, ...]:
    """The names of a script and of all modules that it imports, directly or not, each once."""
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


def plain_page(status: int, language: Language, why: str) -> web.Response:
    """An answer that is one sentence; see plain_html."""
    return web.Response(status=status, text=plain_html(language, why), content_type="text/html")


def plain_html(language: Language, why: str) -> str:
    """A sentence as a page, which phones show in a size that can be read."""
    with said_by(language.put):
        return joined(
            Html("<!doctype html>"),
            element(
                "html",
                element("meta", charset="utf-8"),
                element("meta", name="viewport", content="width=device-width"),
                element("p", why),
                lang=language.name,
                dir=direction(language.name),
            ),
        )


def packed(text: str, kind: str) -> web.Response:
    """An answer with the text, compressed if the browser accepts that."""
    response = web.Response(text=text, content_type=kind)
    response.enable_compression()
    return response


# ---------------------------------------------------------------- help


HELP: Final = Path(__file__).parent / "help"
"""The manual and the quick cards with their pictures, each language but English in a folder of its
name. Made from docs/manual by tests/manual/help.py, as tests/manual/renew.py says."""
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
