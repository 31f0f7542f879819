"""All moments of a game as one JSON object, from which a page without a server shows each.

Each moment is told as it was told then (presentation/moment.py): no moment has anything that became
known later, and what the table doesn't give away is not given away here.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

from companion.core.values import Json
from companion.export.card import DRAWING, card_pieces
from companion.export.marks import Marks
from companion.export.pieces import Shared, taken_apart
from companion.presentation.drawing.paper import Paper
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Describer, Moment, describe
from companion.presentation.sayings import in_words, words_of
from companion.record.journal import Journal

PAPER = Paper(4, 3)
"""The shape of the drawings: one that suits a phone and a desk."""


def whole_game(moment: Moment, date: str | None, language: Language = ENGLISH) -> Json:
    """The game of `moment` as JSON, in that language: its `title`, `seats` and `moments`. `shared`
    are the texts to which drawings and pictures refer by number, `stands` the states of seats, to
    which moments refer by number, and `file` the beginning of a picture's file name. `date` is the
    day as people write it, None if the clock was not set. There is a moment for each entry, or a
    single one if there is none."""
    journal = moment.journal
    assert journal is not None, "a game is exported"
    shared, stands = Shared(), Shared()
    moments = [*_moments(moment, date, shared, stands, language)]
    told = language.translated(describe(moment))
    when = words_of("again.date", date=date) if date else words_of("again.no-date")
    more = [words_of("again.withdrawn")] if journal.withdrawn else []
    number = [words_of("again.game", number=moment.number)] if moment.number else []
    match = [one["said"]["words"] for one in (told["match"],) if one]
    return {
        "telling": 1,
        "title": journal.game.title,
        "about": ", ".join(map(language.put, [*number, when, *match, *more])),
        "seats": [
            {name: seat[name] for name in ("seat", "shown", "colour", "sign")}
            for seat in told["seats"]
        ],
        **({"sides": [list(side) for side in journal.state.sides]} if journal.state.sides else {}),
        "moments": moments,
        "shared": shared.texts,
        "stands": [json.loads(text) for text in stands.texts],
        "file": "-".join(
            [journal.opened.game, *map(str, [moment.number] if moment.number else [])]
        ),
    }


def _moments(
    moment: Moment, date: str | None, shared: Shared, stands: Shared, language: Language
) -> Iterator[Json]:
    journal = moment.journal
    assert journal is not None, "a game is exported"
    places = range(1, journal.length + 1) if journal.length else (None,)
    marks, shown, later = Marks(), TilesShown(language), ShownLater(moment, journal)
    paper = replace(PAPER, language=language)
    states = journal.states or (journal.start,)
    lost = {min(place + 1, journal.length) for place in journal.losses}
    drawn_before: str | None = None
    drawing: Json | None = None
    for at, state in zip(places, states, strict=True):
        moment_json = language.translated(describe(moment, at, latest=1))
        proofs = language.translated(later.proofs_at(at, moment_json))
        found = language.translated(marks.of(moment_json, proofs))
        if at in lost:
            found.insert(0, {"kind": "lost", "words": language.put(words_of("mark.lost"))})
        drawn = moment.presentation.draw(state, paper, stand_alone=False)
        if drawn != drawn_before:  # many entries lay nothing
            drawing = None if drawn is None else taken_apart(drawn, shared)
            drawn_before = drawn
        yield {
            "where": moment_json["where"]["words"],
            "hand": moment_json["hand"],
            "asked": moment_json["asked"]["words"],
            "sentence": moment_json["sentence"]["words"],
            "count": _count(moment_json),
            "seats": [
                stands.number(json.dumps(_seat(seat, moment_json))) for seat in moment_json["seats"]
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


class ShownLater:
    """Notices that were not shown when their entry was made, and may be shown later."""

    def __init__(self, moment: Moment, journal: Journal[object]) -> None:
        self._moment, self._journal = moment, journal
        self._steps = [*zip(journal.entries, journal.states, strict=True)]
        self._waiting: dict[int, int] = {}
        """By the place of an entry: how many of its notices have been shown, if not all were."""

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
            self._wait(place, max(known, len(notices)))
        self._wait(at - 1, len(moment_json["latest"][0]["notices"]))
        return found

    def _wait(self, place: int, known: int) -> None:
        self._waiting[place] = known
        if known == len(self._steps[place][1].effect.notices):
            del self._waiting[place]


class TilesShown:
    """What seats held, in that language, from the moment when it was shown to the end of the
    hand."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._hand: int | None = None
        self._shown: dict[str, str] = {}

    def after(self, moment_json: Json) -> dict[str, str]:
        """The holdings in words, by seat."""
        if moment_json["hand"] != self._hand:
            self._hand, self._shown = moment_json["hand"], {}
        if not moment_json["latest"]:
            return {}
        said = moment_json["latest"][0]["said"]
        if said["key"] in ("entry.shows", "entry.shows-none"):
            tiles = said["parts"].get("tiles", [])
            words = in_words(tiles) or words_of("again.no-tile")
            self._show(said, words_of("again.holds", tiles=words))
        elif said["key"] in ("entry.shows-pip", "entry.shows-pips"):
            pips = said["parts"]["pips"]
            self._show(said, words_of("again.pip" if pips == 1 else "again.pips", pips=pips))
        return self._shown

    def _show(self, said: Json, words: str) -> None:
        self._shown = {**self._shown, said["parts"]["seat"]: self._language.put(words)}


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
    """What changes about a seat from moment to moment. If there are partners, the seat's tiles
    stand apart from its other labels."""
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
    """The entry that led to the moment: what was said, why it scored, who paid whom, and the
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
