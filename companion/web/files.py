"""The files that the server sends: pages with their words, styles and modules, the style of
drawings, and the help that pages link to. Words come from the catalogue of the reader's language;
scripts get that catalogue as a module."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from aiohttp import ETag, web

from companion.core.html import Html, element, joined, root, translated_by
from companion.core.languages import COOKIE, OWN_NAMES, direction, preferred_language
from companion.presentation.drawing.svg import style
from companion.presentation.language import Language, language_of
from companion.presentation.page_words import PAGE_WORDS

# ---------------------------------------------------------------- reading
# Finds the language of a page for its reader.


VARY_HEADERS: Final = "Accept-Language, Cookie"
"""The request headers that the language of an answer depends on."""


def language_of_request(request: web.Request, table: Language) -> Language:
    """The language that was chosen in the browser, else the first of our languages among those of
    the browser's settings, else `table`, the table's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in OWN_NAMES:
        return language_of(chosen)
    said = preferred_language(request.headers.get("Accept-Language", ""))
    return language_of(said) if said else table


# ---------------------------------------------------------------- words

LANGUAGE: Final = "page.language"
"""The placeholder for the language in a page's HTML."""
DIRECTION: Final = "page.direction"
"""The placeholder for the language's writing direction in a page's HTML."""
PLACEHOLDER: Final = re.compile(r"\{\{([a-z-]+\.[a-z-]+)\}\}")
"""Matches a placeholder for a word of the catalogue, or for another value, in a page's HTML."""


def words_in(language: Language, english: Mapping[str, str] = PAGE_WORDS) -> Mapping[str, str]:
    """The pages' words in `language`; `english`: their English ones, by key."""
    return {
        **language.catalogue(english),
        LANGUAGE: language.name,
        DIRECTION: direction(language.name),
    }


def fill_placeholders(page: str, words: Mapping[str, str]) -> str:
    """The HTML with its placeholders filled in: text is escaped, Html is inserted as it is. Raises
    KeyError if the catalogue lacks one."""

    def fill(place: re.Match[str]) -> str:
        found = words[place[1]]
        return found if isinstance(found, Html) else escape(found)

    return PLACEHOLDER.sub(fill, page)


def catalog_module(words: Mapping[str, str]) -> str:
    """The catalogue as the JavaScript module that static/elements.js reads."""
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"


# ---------------------------------------------------------------- files


STATIC = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
PAGES = {"table.html": "/", "tv.html": "/tv", "box.html": "/box", "overlay.html": "/overlay"}
TABLE_LANGUAGE_PAGES = ("tv.html", "overlay.html")
"""Pages that the whole table looks at, which are in the table's language."""
FILES = {
    PAGES.get(path.name, f"/{path.name}"): (path.name, KINDS[path.suffix])
    for path in sorted(STATIC.iterdir())
    if path.is_file() and not path.name.endswith("_part.html")
}
"""The page's files, by the path of their address, without the parts of pages."""
PHOTO: Final = STATIC / "photo"
"""The folder of the photo reader, which a page loads only when a photo was taken."""
TABLE_VALUES: Final[Mapping[str, str]] = {"value.fed-by": Html("")}
"""The values for placeholders that a club's hub fills in differently (club/hub/pages.py)."""
_IMPORTED = re.compile(r'^(?:import|export) [^"]*from "\./([a-z_]+\.js)";', re.MULTILINE)
_LINE: Final = re.compile(r" *<!-- (part|styles|script|modules): (.+) -->\n")
"""Matches a line of a page's HTML whose place `page_text` fills."""
CACHE_FOR_EVER: Final = "public, max-age=31536000, immutable"
"""The cache header of an answer whose address includes the version of the files."""


RequestLanguage = Callable[[web.Request], Language]
"""Returns the language for a request."""


def add_files(
    app: web.Application, request_language: RequestLanguage, spoken: Callable[[], Language]
) -> None:
    """Adds the routes of all files of a table. Pages are in the language that `request_language`
    returns for the request, those of TABLE_LANGUAGE_PAGES in the language `spoken` at the table."""

    async def send_page(request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        language = spoken() if name in TABLE_LANGUAGE_PAGES else request_language(request)
        return _page_response(request, page_text(STATIC / name, words_in(language)), kind)

    async def send_manifest(request: web.Request) -> web.Response:
        response = compressed_response(
            manifest(words_in(request_language(request))), "application/manifest+json"
        )
        response.headers["Vary"] = VARY_HEADERS
        return response

    for path in PAGES.values():
        app.router.add_get(path, send_page)
    app.router.add_get("/app.webmanifest", send_manifest)
    add_static_files(app, spoken)


def manifest(words: Mapping[str, str]) -> str:
    """The web app manifest, as JSON, for a phone that has the table's page on its home screen.
    Addresses are relative, as a proxy may have given the table a path of its own."""
    icons = [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "touch.png", "sizes": "180x180", "type": "image/png"},
    ]
    table = words["page.table"]
    told = {
        **{"id": "./", "start_url": "./", "scope": "./", "display": "standalone"},
        **{"name": table, "short_name": table, "lang": words[LANGUAGE], "icons": icons},
        **{"background_color": "#f3efe6", "theme_color": "#f3efe6"},
    }
    return json.dumps(told, ensure_ascii=False)


def add_static_files(
    app: web.Application,
    spoken: Callable[[], Language],
    *more: Path,
    english: Mapping[str, str] = PAGE_WORDS,
) -> None:
    """Adds the routes of everything except the pages: styles and scripts, including those in the
    folders `more`, the catalogue of the words `english`, and the help. All of them can also be
    loaded from a folder for each version and language, to which `page_text` links, so that browsers
    can cache them. Outside these folders the catalogue is in the language `spoken`."""
    folders = STATIC, *more
    looks = {path.name: path for folder in folders for path in folder.iterdir() if path.is_file()}
    looks |= {f"photo/{path.name}": path for path in PHOTO.iterdir() if path.suffix in KINDS}

    async def send_file(request: web.Request) -> web.Response:
        path = looks[request.match_info["name"]]
        return _file_response(path)

    async def send_words(_request: web.Request) -> web.Response:
        return compressed_response(catalog_module(words_in(spoken(), english)), "text/javascript")

    async def send_versioned(request: web.Request) -> web.Response:
        words, name = words_in(language_of(request.match_info["language"]), english), ""
        texts = []
        for name in _files_in(request.match_info["name"]):
            if name == "catalog.js":
                texts.append(catalog_module(words))
            elif name == "drawing.css":
                texts.append(style())
            elif name in looks and not name.endswith(".html"):
                texts.append(looks[name].read_text("utf-8"))
            else:
                raise web.HTTPNotFound
        response = compressed_response("".join(texts), KINDS[Path(name).suffix])
        if request.path.startswith(f"{files_folder(words, *more)}/"):
            response.headers["Cache-Control"] = CACHE_FOR_EVER
        return response

    names = "|".join(name for name in OWN_NAMES)
    app.router.add_get("/catalog.js", send_words)
    app.router.add_get(
        f"/at/{{version:[0-9a-f]{{12}}}}/{{language:{names}}}/{{name:[a-z0-9_/+]+\\.(?:css|js|svg)}}",
        send_versioned,
    )
    for address, path in looks.items():
        if path.suffix != ".html":
            app.router.add_get(f"/{{name:{re.escape(address)}}}", send_file)
    app.router.add_get(f"/help/{{page:(?:(?:{names})/)?[a-z-]+}}", _send_help)
    shown = f"drawings|(?:phone|pictures)(?:/(?:{names}))?"
    app.router.add_get(f"/help/{{folder:{shown}}}/{{name:[a-z0-9_.]+}}", _send_picture)
    app.router.add_get("/drawing.css", _send_style)


def _files_in(address: str) -> list[str]:
    """The names of the files at an address: one file, or several styles in order, as in
    `table+keying.css`."""
    if "+" not in address:
        return [address]
    return [f"{name}.css" for name in address.removesuffix(".css").split("+")]


def files_folder(words: Mapping[str, str], *more: Path) -> str:
    """The address of the folder in which pages with these words find their styles, scripts and
    catalogue. It changes with any of these, so that browsers may cache its content. `more`: the
    folders with files besides STATIC. Empty if the language is none of ours: the page then uses the
    files outside these folders, in the language of the table."""
    if words[LANGUAGE] not in OWN_NAMES:
        return ""
    return f"/at/{_version(tuple(words.items()), STATIC, *more)}/{words[LANGUAGE]}"


@cache
def _version(words: tuple[tuple[str, str], ...], *folders: Path) -> str:
    return version_of(dict(words), *folders)


def version_of(words: Mapping[str, str], *folders: Path) -> str:
    """The version of these words and of all files in the folders, as twelve hexadecimal digits."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(filter(Path.is_file, folder.rglob("*"))):
            digest.update(path.read_bytes())
    digest.update(catalog_module(words).encode())
    digest.update(style().encode())
    return digest.hexdigest()[:12]


def page_text(
    page: Path, words: Mapping[str, str], *more: Path, values: Mapping[str, str] = TABLE_VALUES
) -> str:
    """A page's HTML with its words, other `values` and these lines filled in:

        <!-- part: head_part.html -->   from the first of the folders `more` and the page's own that
                                        has this part; left out if none has
        <!-- styles: tokens table -->   one link to these styles together
        <!-- script: table -->          the script, a module of the page's folder or of STATIC
        <!-- modules: table -->         links to all modules that the script needs, so that a
                                        browser fetches them all at once

    The links lead to the folder of the files' version (`files_folder`)."""
    kept = files_folder(words, *more)
    folder = f"{root()}{kept}"

    def line(found: re.Match[str]) -> str:
        kind, names = found.groups()
        if kind == "part":
            paths = (place / names for place in (*more, page.parent))
            part = next((one.read_text("utf-8") for one in paths if one.is_file()), "")
            return _LINE.sub(line, part)
        if kind == "styles":
            files = [names.replace(" ", "+")] if kept else names.split()
            return "".join(
                f'  <link rel="stylesheet" href="{folder}/{one}.css">\n' for one in files
            )
        if kind == "script":
            return f'  <script type="module" src="{folder}/{names}.js"></script>\n'
        modules = _imported_modules(page.parent, f"{names}.js")
        return "".join(f'  <link rel="modulepreload" href="{folder}/{one}">\n' for one in modules)

    own = {
        "value.languages": _language_options(words[LANGUAGE]),
        "value.icon": f"{folder}/icon.svg",
    }
    text = _LINE.sub(line, page.read_text("utf-8"))
    return fill_placeholders(text, {**words, **root_values(), **own, **values})


def root_values() -> dict[str, str]:
    """The values for placeholders with the path `root`: one for the beginning of addresses, and the
    attribute from which scripts read it."""
    attribute = f' data-root="{escape(root())}"' if root() else ""
    return {"value.root": root(), "value.data-root": Html(attribute)}


def _language_options(language: str) -> Html:
    """The languages to choose from, as options of a select element; `language` is chosen."""
    return Html(
        "".join(
            f'<option value="{name}" lang="{name}"{" selected" if name == language else ""}>{own}'
            for name, own in OWN_NAMES.items()
        )
    )


@cache
def _imported_modules(folder: Path, script: str) -> tuple[str, ...]:
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
    return compressed_response(style(), "text/css")


def _file_response(path: Path) -> web.Response:
    """An answer with a file of one of KINDS."""
    kind = KINDS[path.suffix]
    if path.suffix == ".png":
        return web.Response(body=path.read_bytes(), content_type=kind)
    return compressed_response(path.read_text("utf-8"), kind)


def _page_response(request: web.Request, text: str, kind: str) -> web.Response:
    """A response with a page's text, or with status 304 if the browser already has it."""
    tag = ETag(hashlib.sha256(text.encode()).hexdigest()[:16], is_weak=True)
    known = any(one.value == tag.value for one in request.if_none_match or ())
    response = web.Response(status=304) if known else compressed_response(text, kind)
    response.etag = tag
    response.headers["Cache-Control"] = "no-cache"  # may be cached, but has to be revalidated
    response.headers["Vary"] = VARY_HEADERS
    return response


def plain_page(status: int, language: Language, why: str) -> web.Response:
    """An answer with a single sentence; see plain_html."""
    return web.Response(status=status, text=plain_html(language, why), content_type="text/html")


def plain_html(language: Language, why: str) -> str:
    """A page with a single sentence in a size that can be read on phones."""
    with translated_by(language.translate):
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


def compressed_response(text: str, kind: str) -> web.Response:
    """An answer with the text, compressed if the browser accepts that."""
    response = web.Response(text=text, content_type=kind)
    response.enable_compression()
    return response


# ---------------------------------------------------------------- help


HELP: Final = Path(__file__).parent / "help"
"""The manual and the quick cards with their pictures; each language other than English has its own
folder. Made from docs/manual by tests/manual/help.py, as tests/manual/renew.py says."""
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
