"""A game as one HTML file: it needs no network and asks for none, and moves by a script of its own.

Its policy lets it load nothing and run nothing but that script: what stands in the game, names
included, is text whatever it looks like.
"""

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from companion import web
from companion.export.moments import game_told
from companion.telling.moment import Moment
from companion.telling.picture import style
from companion.telling.sayings import SAYINGS, say
from companion.web.words import filled

Json = dict[str, Any]

HERE = Path(__file__).parent
TABLE_LOOKS = Path(web.__file__).parent / "static" / "table.css"
"""How the table's page looks."""
PLACE = re.compile("%([a-z]+)%")
"""Where a part of the file stands in watch.html."""
SCRIPT_WORDS = ("again.entry", "again.play", "again.pause", "label.hand")
"""What the script says by itself."""


def game_file(moment: Moment, date: str | None) -> str:
    """The file of the game of that moment; see `game_told`."""
    told = game_told(moment, date)
    told["words"] = {key: SAYINGS[key] for key in SCRIPT_WORDS}
    shown = [seat["shown"] for seat in told["seats"]]
    looks, script = _looks(), _read("watch.js")
    parts = {
        "policy": _policy(looks, script),
        "title": escape(say("again.title", title=told["title"], seats=shown)["words"]),
        "style": looks,
        "game": _inside_a_script(told),
        "script": script,
    }
    page = filled(_read("watch.html"), SAYINGS)
    return PLACE.sub(lambda place: parts[place[1]], page)


@cache
def _read(name: str) -> str:
    return (HERE / name).read_text("utf-8")


@cache
def _looks() -> str:
    """The table's page and its drawings, and what this page has besides."""
    return "\n".join([style(), TABLE_LOOKS.read_text("utf-8"), _read("watch.css")])


def _policy(looks: str, script: str) -> str:
    """Nothing may be loaded; this style sheet and this script may be used."""
    allowed = (("style", looks), ("script", script))
    of_each = (f"{kind}-src 'sha256-{_digest(text)}'" for kind, text in allowed)
    return "; ".join(["default-src 'none'", "img-src data:", *of_each])


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _inside_a_script(told: Json) -> str:
    """JSON that can't end the element that it stands in."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
