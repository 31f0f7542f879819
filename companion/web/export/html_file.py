"""A replay of a game as HTML in which a script goes from moment to moment: one file that works
without a network, or a page of the box that loads style and script from the box.

The file's policy lets it load nothing and run only its own script, so all text of the game, names
included, stays text whatever it looks like.

All moments are one JSON object, from which the script shows each. Each moment is presented as it
was then (presentation/moment.py): no moment contains anything that became known later, and secrets
of the table stay secret here too.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from companion import web
from companion.core.html import element, rooted
from companion.core.values import Json
from companion.presentation.drawing.svg import Paper, style
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Describer, Moment, describe
from companion.presentation.sayings import SAYINGS, SeatsTogether, part_in_words, say, words_of
from companion.record.journal import Journal
from companion.web.export.pictures import DRAWING, card_pieces
from companion.web.files import fill_placeholders, words_in

# ---------------------------------------------------------------- pieces
# Stores drawings as numbered parts, each text only once: a line of play keeps its tiles from play
# to play, so even a game with hundreds of moments stores each tile once.


SENTENCE = re.compile(r"(?<=[.;]) ")
TAG: Final = re.compile(r"<(/?)[^>]*?(/?)>")
"""Matches a tag that opens an element, closes one, or does both. No attribute in our drawings
contains a `>`, which is written as `&gt;`."""
PARTS_KNOWN: Final = 2048
"""The most parts whose text is cached, about 600 characters each: more than a long game has."""


class NumberedTexts:
    """Texts with a number each, without duplicates, in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text; a new text gets the next number."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All texts, in the order of their numbers."""
        return [*self._numbers]


def drawing_parts(svg: str, shared: NumberedTexts) -> Json:
    """A drawing as JSON, with each text replaced by its number in `shared`: `view` (the viewBox),
    `title`, `text` (a list of sentences) and `parts` (the drawn elements, in order). `svg` is one
    of our drawings (presentation/drawing/svg.py) for use inside a page."""
    begin, end = svg.index(">") + 1, svg.rindex("</svg>")
    title, text, *drawn = _elements(svg, begin, end)
    view = ElementTree.fromstring(f"{svg[:begin]}</svg>").get("viewBox", "")
    return {
        "view": shared.number(view),
        "title": shared.number(_text_in(title)),
        "text": [shared.number(sentence) for sentence in SENTENCE.split(_text_in(text))],
        "parts": [shared.number(_normalise(part)) for part in drawn],
    }


def _elements(svg: str, begin: int, end: int) -> Iterator[str]:
    """The sibling elements from `begin` to `end`, each with everything inside it."""
    depth, start = 0, begin
    for tag in TAG.finditer(svg, begin, end):
        closes, closed = tag.groups()
        if not closes and not depth:
            start = tag.start()
        if closes:
            depth -= 1
        elif not closed:
            depth += 1
        if not depth:
            yield svg[start : tag.end()]


def _text_in(element: str) -> str:
    return ElementTree.fromstring(element).text or ""


@lru_cache(PARTS_KNOWN)
def _normalise(part: str) -> str:
    """The element as the XML library writes it, so that equal elements have equal text. It is
    cached, as most elements of a moment also occur in the moment before."""
    return ElementTree.tostring(ElementTree.fromstring(part), "unicode")


# ---------------------------------------------------------------- marks
# Marks for a game's important moments. Each mark uses only information that was shown by then, so
# that it gives nothing away.


BIG_COUNT: Final = 20
"""Every scoring play with at least this count of the open ends is marked."""
USUAL_PLAYS: Final = 4
"""The number of scoring plays before a play is marked as the best so far."""
PLAY_PAYMENTS: Final = {"for.count", "for.capture", "for.lay", "for.row"}
"""The reasons for payments that a play earns; all other payments are for the end of a hand, a
bogus play, or chips."""
HAND_OVER_KEYS: Final = (
    "asks.deal",
    "asks.deal-lead",
    "asks.over",
    "asks.over-shared",
    "asks.match-over",
    "asks.match-level",
)


class Marks:
    """Marks a game's important moments. All moments have to be passed to `reasons_at` in order,
    from the first entry on."""

    def __init__(self) -> None:
        self._scored, self._best = 0, 0
        self._over, self._won, self._claimed = False, False, False

    def reasons_at(self, moment_json: Json, proofs: list[Json]) -> list[Json]:
        """The reasons why the moment mattered, each with a `kind` and its `words`. `proofs` are
        notices of earlier entries that may be shown from now on."""
        entry = moment_json["latest"][0] if moment_json["latest"] else None
        found = [] if entry is None else [*_mark_star(entry), *self._mark_play(entry)]
        found += [*self._dispute(moment_json)]
        if not moment_json["ruling"]:
            found += [_mark("proven", said=proof["words"]) for proof in proofs]
        found += [*self._mark_end(moment_json)]
        return found

    def _mark_play(self, entry: Json) -> Iterator[Json]:
        paid = [one for one in entry["payments"] if one["for"]["key"] in PLAY_PAYMENTS]
        points = sum(one["points"] for one in paid)
        if points <= 0:
            return
        why = entry["why"]
        count = why["parts"].get("count") if why else None
        if count is not None and count >= BIG_COUNT:
            yield _mark("count", count=count)
        elif points > self._best and self._scored >= USUAL_PLAYS:
            yield _mark("best", seat=paid[0]["to"], points=points)
        self._scored, self._best = self._scored + 1, max(self._best, points)

    def _dispute(self, moment_json: Json) -> Iterator[Json]:
        claim, ruling = moment_json["claim"], moment_json["ruling"]
        claimed = claim is not None
        if claimed and not self._claimed:
            yield _mark("called", seat=claim["accused"])
        if ruling:
            yield _mark("ruling", said=ruling["said"]["words"])
        self._claimed = claimed and not ruling

    def _mark_end(self, moment_json: Json) -> Iterator[Json]:
        over, won = moment_json["asked"]["key"] in HAND_OVER_KEYS, bool(moment_json["winners"])
        if won and not self._won:
            yield _mark(
                "won-shared" if len(moment_json["winners"]) > 1 else "won",
                seats=SeatsTogether(moment_json["winners"]),
            )
        elif over and not self._over:
            yield _mark("hand", hand=moment_json["hand"])
        self._over, self._won = over, won


def _mark_star(entry: Json) -> Iterator[Json]:
    """Yields a mark if somebody at the table has marked the entry with a star."""
    if entry["star"] and entry["star"]["on"]:
        yield _mark("star")


def _mark(kind: str, **parts: object) -> Json:
    """A mark of this kind, with its words."""
    return {"kind": kind, "words": say(f"mark.{kind}", **parts)["words"]}


# ---------------------------------------------------------------- moments

PAPER = Paper(4, 3)
"""The shape of the drawings: one that suits a phone and a desk."""


def whole_game(moment: Moment, date: str | None, language: Language = ENGLISH) -> Json:
    """The game of `moment` as JSON in that language: its `title`, `seats` and `moments`; `shared`,
    the texts to which drawings and pictures refer by number; `seat_states`, to which moments refer
    by number; and `file`, the beginning of a picture's file name. `date` is the day as people write
    it, None if the clock was not set. There is one moment for each entry, or a single one in a game
    without entries."""
    journal = moment.journal
    assert journal is not None, "a game is exported"
    shared, seat_states = NumberedTexts(), NumberedTexts()
    moments = [*_moments(moment, date, shared, seat_states, language)]
    told = language.translated(describe(moment))
    when = words_of("again.date", date=date) if date else words_of("again.no-date")
    more = [words_of("again.withdrawn")] if journal.withdrawn else []
    number = [words_of("again.game", number=moment.number)] if moment.number else []
    match = [one["said"]["words"] for one in (told["match"],) if one]
    return {
        "telling": 1,
        "title": journal.game.title,
        "about": ", ".join(map(language.translate, [*number, when, *match, *more])),
        "seats": [
            {name: seat[name] for name in ("seat", "shown", "colour", "sign")}
            for seat in told["seats"]
        ],
        **({"sides": [list(side) for side in journal.state.sides]} if journal.state.sides else {}),
        "moments": moments,
        "shared": shared.texts,
        "stands": [json.loads(text) for text in seat_states.texts],
        "file": "-".join(
            [journal.opened.game, *map(str, [moment.number] if moment.number else [])]
        ),
    }


def _moments(
    moment: Moment,
    date: str | None,
    shared: NumberedTexts,
    seat_states: NumberedTexts,
    language: Language,
) -> Iterator[Json]:
    journal = moment.journal
    assert journal is not None, "a game is exported"
    places = range(1, journal.length + 1) if journal.length else (None,)
    marks, shown, later = Marks(), TilesShown(language), LaterNotices(moment, journal)
    paper = replace(PAPER, language=language)
    states = journal.states or (journal.start,)
    lost = {min(place + 1, journal.length) for place in journal.losses}
    drawn_before: str | None = None
    drawing: Json | None = None
    for at, state in zip(places, states, strict=True):
        moment_json = language.translated(describe(moment, at, latest=1))
        proofs = language.translated(later.proofs_at(at, moment_json))
        found = language.translated(marks.reasons_at(moment_json, proofs))
        if at in lost:
            found.insert(0, {"kind": "lost", "words": language.translate(words_of("mark.lost"))})
        drawn = moment.presentation.draw(state, paper, stand_alone=False)
        if drawn != drawn_before:  # many entries don't change the table
            drawing = None if drawn is None else drawing_parts(drawn, shared)
            drawn_before = drawn
        yield {
            "where": moment_json["where"]["words"],
            "hand": moment_json["hand"],
            "asked": moment_json["asked"]["words"],
            "sentence": moment_json["sentence"]["words"],
            "count": _count(moment_json),
            "seats": [
                seat_states.number(json.dumps(_seat(seat, moment_json)))
                for seat in moment_json["seats"]
            ],
            "shown": shown.after(moment_json),
            **_entry(moment_json, proofs),
            "dispute": _dispute(moment_json),
            "marks": found,
            "drawing": drawing,
            "picture": [
                piece if piece is DRAWING else shared.number(piece)
                for piece in card_pieces(moment_json, drawn, date, language)
            ],
        }


class LaterNotices:
    """Finds notices that had to stay hidden when their entry was made and may be shown later."""

    def __init__(self, moment: Moment, journal: Journal[object]) -> None:
        self._moment, self._journal = moment, journal
        self._steps = [*zip(journal.entries, journal.states, strict=True)]
        self._waiting: dict[int, int] = {}
        """The number of notices already shown for each entry that has more, by the entry's
        place."""

    def proofs_at(self, at: int | None, moment_json: Json) -> list[Json]:
        """The notices of earlier entries that are shown from the moment `at` on."""
        if at is None:
            return []
        found = list[Json]()
        if self._waiting:
            describer = Describer(self._moment, self._journal, self._steps[at - 1][1])
        for place, known in [*self._waiting.items()]:
            notices = describer.entry(place, *self._steps[place])["notices"]
            found += notices[known:]
            self._note_shown(place, max(known, len(notices)))
        self._note_shown(at - 1, len(moment_json["latest"][0]["notices"]))
        return found

    def _note_shown(self, place: int, known: int) -> None:
        self._waiting[place] = known
        if known == len(self._steps[place][1].effect.notices):
            del self._waiting[place]


class TilesShown:
    """Remembers the tiles that seats have shown, as texts in that language, until the end of the
    hand."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._hand: int | None = None
        self._shown: dict[str, str] = {}

    def after(self, moment_json: Json) -> dict[str, str]:
        """The tiles or pips that seats have shown in this hand, up to this moment: by seat, in
        words."""
        if moment_json["hand"] != self._hand:
            self._hand, self._shown = moment_json["hand"], {}
        if not moment_json["latest"]:
            return {}
        said = moment_json["latest"][0]["said"]
        if said["key"] in ("entry.shows", "entry.shows-none"):
            tiles = said["parts"].get("tiles", [])
            words = part_in_words(tiles) or words_of("again.no-tile")
            self._show(said, words_of("again.holds", tiles=words))
        elif said["key"] in ("entry.shows-pip", "entry.shows-pips"):
            pips = said["parts"]["pips"]
            self._show(said, words_of("again.pip" if pips == 1 else "again.pips", pips=pips))
        return self._shown

    def _show(self, said: Json, words: str) -> None:
        self._shown = {**self._shown, said["parts"]["seat"]: self._language.translate(words)}


def _count(moment_json: Json) -> Json | None:
    """The count of the open ends, whether it scores, and its terms if it has several."""
    table = moment_json["table"]
    if not table or table["kind"] != "line" or table["count"] is None or not table["tiles"]:
        return None
    entry = moment_json["latest"][0]
    terms = entry["why"] and entry["why"]["key"] in ("reason.count", "reason.count-plain")
    return {
        "number": table["count"],
        "scores": entry["points"] > 0,
        "why": entry["why"]["words"] if terms else None,
    }


def _seat(seat: Json, moment_json: Json) -> Json:
    """The JSON of a seat's state, which changes from moment to moment. With partners, the seat's
    tiles are separate from its other labels."""
    labels = {kind: label["words"] for kind, label in seat["labels"].items() if label}
    more = {name: True for name in ("to_move", "won") if seat[name]}
    if moment_json["sides"] and "tiles" in labels:
        more["tiles"] = labels.pop("tiles")
    return {
        "score": seat["score"],
        "to_win": seat["to_win"],
        "labels": [*labels.values()],
        **more,
    }


def _entry(moment_json: Json, proofs: list[Json]) -> Json:
    """The entry that led to the moment: its words, why it scored, who paid whom, and the
    notices."""
    if not moment_json["latest"]:
        return {"said": None, "why": None, "pays": [], "notices": []}
    entry = moment_json["latest"][0]
    pays = [
        {
            "to": payment["to"],
            "said": payment["said"]["words"],
            "chips": payment["chips"] and payment["chips"]["said"]["words"],
        }
        for payment in entry["payments"]
    ]
    notices = [notice["words"] for notice in (*entry["notices"], *proofs)]
    return {
        "said": entry["said"]["words"],
        "seat": entry["seat"],
        "why": entry["why"] and entry["why"]["words"],
        "pays": pays,
        "notices": notices,
    }


def _dispute(moment_json: Json) -> Json | None:
    """A call with its verdict and evidence, and how it was closed."""
    claim, ruling = moment_json["claim"], moment_json["ruling"]
    if not claim and not ruling:
        return None
    return {
        "charge": claim and claim["charge"]["words"],
        "kind": claim["verdict"]["key"] if claim else f"verdict.{ruling['verdict']}",
        "verdict": claim and claim["verdict"]["words"],
        "evidence": claim and claim["evidence"]["words"],
        "ruling": ruling and ruling["said"]["words"],
    }


# ---------------------------------------------------------------- file


HERE = Path(__file__).parent
WEB = Path(web.__file__).parent
STYLE_SHEETS = (
    WEB / "static" / "tokens.css",
    WEB / "static" / "table.css",
    WEB / "evenings" / "watch.css",
)
"""The style sheets of all pages, of the table's page and, beside it, of a replayed game."""
SCRIPT = WEB / "evenings" / "watch.js"
PLACEHOLDER = re.compile("%([a-z]+)%")
"""A placeholder in watch.html for a part of the file."""
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
    looks, script = _minify_style(_all_styles()), _minify(_read(SCRIPT))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(looks, script)}">'
    return _fill_template(
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
    to other pages; `begin_at`: the entry to show first (None: the game's first)."""
    names = ("drawing.css", *(path.name for path in STYLE_SHEETS))
    sheets = (element("link", rel="stylesheet", href=f"/{name}") for name in names)
    return _fill_template(
        moment,
        date,
        language,
        policy=element("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        style="\n  ".join(sheets),
        script=f'<script src="{rooted(f"/{SCRIPT.name}")}" defer></script>',
        ways=ways,
        begin_at=begin_at,
    )


def _fill_template(
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
    parts["title"] = escape(language.translate(title))
    parts["game"] = _json_for_script(game_json)
    page = fill_placeholders(_minify(_read(HERE / "watch.html")), words)
    return PLACEHOLDER.sub(lambda place: parts[place[1]], page)


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _all_styles() -> str:
    return "\n".join([style(), *map(_read, STYLE_SHEETS)])


def _minify(text: str) -> str:
    """The text of a page, style sheet or script without indentation and comments."""
    lines = (line.lstrip() for line in COMMENT.sub("", text).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _minify_style(text: str) -> str:
    """A style sheet without indentation, comments, line ends and unnecessary spaces. Text in quotes
    stays as it is."""
    parts = QUOTED.split(_minify(text))
    parts[::2] = (SPACED.sub(r"\1", part) for part in parts[::2])
    return "".join(parts).replace(";}", "}")


def _policy(looks: str, script: str) -> str:
    """The file's content security policy: it may load nothing, and use only this style sheet and
    this script."""
    allowed = (("style", looks), ("script", script))
    digests = ((kind, b64encode(sha256(text.encode()).digest()).decode()) for kind, text in allowed)
    of_each = (f"{kind}-src 'sha256-{digest}'" for kind, digest in digests)
    return "; ".join(["default-src 'none'", "img-src data:", *of_each])


def _json_for_script(value: Json) -> str:
    """The JSON, escaped so that it can't close the script element that contains it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
