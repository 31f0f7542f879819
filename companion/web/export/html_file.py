"""A game to look at again, as HTML in which a script goes from moment to moment: one file that
needs no network and asks for none, or a page of the box that takes style and script from the box.

The file's policy lets it load nothing and run nothing but its script: all text of the game, names
included, stays text whatever it looks like.
"""

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from companion import web
from companion.core.values import Json
from companion.presentation.drawing.svg import style
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment
from companion.presentation.sayings import SAYINGS, say
from companion.web.export.moments import whole_game
from companion.web.words import filled, words_in

HERE = Path(__file__).parent
WEB = Path(web.__file__).parent
LOOKS = (WEB / "static" / "table.css", WEB / "evenings" / "watch.css")
"""The style sheet of the table's page, and the one that a game to look at again needs besides."""
SCRIPT = WEB / "evenings" / "watch.js"
PLACE = re.compile("%([a-z]+)%")
"""A mark in watch.html where a part of the file stands."""
QUOTED = re.compile(r'("[^"]*")')
SPACED = re.compile(r"\s*([{};,>])\s*|(?<=:)\s+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SCRIPT_WORDS = (
    *("again.entry", "again.play", "again.pause", "again.saved", "again.not-saved"),
    "label.hand",
)
"""The words that the script itself puts on the page."""


def game_file(
    moment: Moment,
    date: str | None,
    language: Language = ENGLISH,
    *,
    head: str = "",
    ways: str = "",
) -> str:
    """The whole game of that moment as a file in that language; see `whole_game`. `head`: HTML for
    the file's head; `ways`: HTML with links to other pages."""
    looks, script = _bare_style(_looks()), _bare(_read(SCRIPT))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(looks, script)}">'
    return _filled(
        moment,
        date,
        language,
        policy=policy,
        style=f'<link rel="icon" href="data:,">\n  <style>{looks}</style>{head}',
        script=f"<script>{script}</script>",
        ways=ways,
    )


def game_page(
    moment: Moment,
    date: str | None,
    ways: str,
    begin_at: int | None,
    language: Language = ENGLISH,
) -> str:
    """The whole game of that moment as a page of the box in that language. `ways`: HTML with links
    to other pages; `begin_at`: the entry that is shown first (None: the game's first)."""
    names = ("drawing.css", *(path.name for path in LOOKS))
    sheets = (f'<link rel="stylesheet" href="/{name}">' for name in names)
    return _filled(
        moment,
        date,
        language,
        policy='<link rel="icon" href="/icon.svg" type="image/svg+xml">',
        style="\n  ".join(sheets),
        script=f'<script src="/{SCRIPT.name}" defer></script>',
        ways=ways,
        begin_at=begin_at,
    )


def _filled(
    moment: Moment,
    date: str | None,
    language: Language,
    *,
    begin_at: int | None = None,
    **parts: str,
) -> str:
    game_json = whole_game(moment, date, language)
    if begin_at is not None:
        game_json["begin_at"] = begin_at
    words = words_in(language, SAYINGS)
    game_json["words"] = {key: words[key] for key in SCRIPT_WORDS}
    shown = [seat["shown"] for seat in game_json["seats"]]
    title = say("again.title", title=game_json["title"], seats=shown)["words"]
    parts["title"] = escape(language.put(title))
    parts["game"] = _inside_a_script(game_json)
    page = filled(_bare(_read(HERE / "watch.html")), words)
    return PLACE.sub(lambda place: parts[place[1]], page)


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _looks() -> str:
    return "\n".join([style(), *map(_read, LOOKS)])


def _bare(text: str) -> str:
    """Page, style or script without indentation and comments: a file that is sent has no use for
    them."""
    lines = (line.lstrip() for line in COMMENT.sub("", text).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _bare_style(text: str) -> str:
    """A style sheet without what only people who read it need: indentation, comments, line ends and
    spaces. Text in quotes stays as it is."""
    parts = QUOTED.split(_bare(text))
    parts[::2] = (SPACED.sub(r"\1", part) for part in parts[::2])
    return "".join(parts).replace(";}", "}")


def _policy(looks: str, script: str) -> str:
    """The file's policy: nothing may be loaded; this style sheet and this script may be used."""
    allowed = (("style", looks), ("script", script))
    digests = ((kind, b64encode(sha256(text.encode()).digest()).decode()) for kind, text in allowed)
    of_each = (f"{kind}-src 'sha256-{digest}'" for kind, digest in digests)
    return "; ".join(["default-src 'none'", "img-src data:", *of_each])


def _inside_a_script(value: Json) -> str:
    """JSON that can't end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
