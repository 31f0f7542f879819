"""The catalogue for translators has every sentence that people read."""

import ast
from gettext import NullTranslations
from string import Formatter

import pytest

from companion.app.catalog import CATALOG
from companion.presentation.language import Language
from companion.presentation.moment import Moment
from tests.made_up import LETTERS, MADE_UP, PARTS, disguised
from tests.presentation.test_made_up_language import each_moment, game
from tests.sampling import Draw
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made
from tests.test_layers import nodes
from tests.words import FILES, HOUSE, ROOMS, SAID_BY, listed


@pytest.mark.parametrize(
    ("said", "context"),
    [
        ("{seat} lays {tile}", "entry.lays"),
        ("A stick with games is here.", None),
        ("the rewind to {where}", None),
        ("{game} has no “{word}”", None),
        ("the disk is full", None),
    ],
)
def test_sentences_of_every_module_are_listed(said: str, context: str | None) -> None:
    assert listed().get(said, context) is not None


@pytest.mark.parametrize(
    ("said", "context", "listed_for"),
    [
        ("lays {tile}", "entry.lays", True),
        ("calls {seat} bogus", "entry.calls", True),
        ("s ago", "club.seconds", False),
        ("tiles", "seat.tiles", False),
        ("won", "asks.over", False),
    ],
)
def test_only_actions_are_listed_without_their_actor(
    said: str, context: str, listed_for: bool
) -> None:
    assert (listed().get(said, context) is not None) is listed_for


def _sentence(call: ast.Call) -> ast.expr | None:
    assert isinstance(call.func, ast.Name)
    (at, *_) = SAID_BY[call.func.id] or (1,)
    return call.args[at - 1] if len(call.args) >= at else None


def test_every_sentence_in_a_call_is_found() -> None:
    """Babel does not look for a sentence in the arguments of a call within another sentence."""
    calls = [
        call
        for room in ROOMS
        for path in (HOUSE / room).rglob("*.py")
        if path.name in FILES.get(room, (path.name,))
        for call in nodes(path)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in SAID_BY
    ]
    given = [part.value for call in calls if isinstance(part := _sentence(call), ast.Constant)]
    assert len(given) > 400
    assert [said for said in given if listed().get(str(said)) is None] == []


def test_names_of_sentence_functions_are_never_subscripted() -> None:
    """Since 2.19 Babel takes `counted[0]` for the start of a sentence, and misses the sentences
    after it."""
    looked_into = [
        f"{path.relative_to(HOUSE)}:{part.lineno}"
        for path in HOUSE.rglob("*.py")
        for part in nodes(path)
        if isinstance(part, ast.Subscript)
        if isinstance(part.value, ast.Name | ast.Attribute)
        if ast.unparse(part.value).rpartition(".")[2] in SAID_BY
    ]
    assert looked_into == []


def test_no_sentence_is_nested_in_another() -> None:
    """Before Python 3.12 Babel does not look into the braces of an f-string."""
    within = [
        f"{path.relative_to(HOUSE)}:{call.lineno}"
        for path in HOUSE.rglob("*.py")
        for text in nodes(path)
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in SAID_BY
    ]
    assert within == []


def test_the_made_up_language_disguises_and_lengthens_every_sentence() -> None:
    assert disguised("Hello {seat}, press OK") == "Ĥēļļō {seat}, ƥŕēśś OK~~~~~~~~"
    assert disguised("{seat}") == "{seat}"


def test_text_without_letters_is_not_looked_up() -> None:
    assert Language().translate("") == MADE_UP.translate("") == ""


class RecordingTranslations(NullTranslations):
    """Translations that keep every message that they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.met = set[tuple[str | None, str]]()

    def gettext(self, message: str) -> str:
        self.met.add((None, message))
        return message

    def pgettext(self, context: str, message: str) -> str:
        self.met.add((context, message))
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.met.add((None, msgid1))
        return msgid1 if n == 1 else msgid2


def test_everything_that_people_read_is_listed(draw: Draw[str]) -> None:
    """Every text of the screens, and of the descriptions of games, is in the list."""
    asked = RecordingTranslations()
    language = Language("x-met", asked)
    for name in SCENES:
        assert made(name, language).frame
    for name in draw([*SCENES], 40):
        made(name, language, all_screens=True)
    for name in CATALOG:
        for told in each_moment(Moment(CATALOG, game(name, 1), 7, 1, {})):
            language.translated(told)
    assert len(asked.met) > 400
    lacks = {
        (context, message)
        for context, message in asked.met
        if listed().get(message, context) is None and LETTERS.search(PARTS.sub("", message))
    }
    assert lacks == set()


def test_every_placeholder_of_a_sentence_gets_a_value() -> None:
    """An error puts its parts in only when it is told (core/errors.py)."""
    lacking = [
        f"{path.relative_to(HOUSE)}:{call.lineno} {sorted(named - given)}"
        for path in HOUSE.rglob("*.py")
        for call in nodes(path)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in SAID_BY and call.func.id != "mark"
        if isinstance(said := _sentence(call), ast.Constant) and isinstance(said.value, str)
        if None not in (given := {word.arg for word in call.keywords} | {_given_by(call.func.id)})
        if (named := {one for _, one, _, _ in Formatter().parse(said.value) if one}) - given
    ]
    assert lacking == []


def _given_by(name: str) -> str:
    """The part that a function adds itself."""
    return {"counted": "number", "store_error": "reason"}.get(name, "")
