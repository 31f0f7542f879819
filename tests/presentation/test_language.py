"""Names of colours, words of the tally and words of the program in the language of the reader."""

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import COLOURS, MORE_COLOURS
from companion.core.values import Json
from companion.presentation.language import ENGLISH
from companion.presentation.moment import Moment, describe
from companion.presentation.news import change_as_spoken, public_change_name
from companion.presentation.sayings import words_of
from companion.record.journal import ChangeSummary
from tests.catalogues import translated
from tests.presentation.test_moment import played


def undone(text: str) -> ChangeSummary:
    """The name of the entry that undo would take back after these lines."""
    what = played(text).next_undo
    assert what is not None
    return what


def test_colours_of_seats_and_chips_are_translated() -> None:
    spanish = translated("es")
    pays = words_of("pays", payer="Red", to="Yellow", points=15)
    assert spanish.translate(pays) == "Rojo paga 15 a Amarillo"
    assert spanish.translate("RED") == "ROJO" and spanish.translate("red") == "rojo"
    assert (
        spanish.translate(words_of("pays", payer="Redd", to="Ana", points=5)) == "Redd paga 5 a Ana"
    )
    assert spanish.with_names({"Ana": "Anna"}).translate("Blue") == "Azul"
    assert spanish.with_names({"Red": "Anna"}).translate("RED") == "ANNA"
    assert ENGLISH.translate("Red") == "Red"


@pytest.mark.parametrize("name", ["es", "nl", "de", "fr", "pt-BR"])
def test_every_colour_has_a_name(name: str) -> None:
    language = translated(name)
    words = {language.translate(one) for one in (*COLOURS, *MORE_COLOURS)}
    assert len(words) == 8 and len(words & {*COLOURS, *MORE_COLOURS}) <= 1  # “Orange”


def test_names_of_undone_changes_are_translated() -> None:
    spanish = translated("es")
    text = "hand\nRed 6-6\nBlue draw"
    assert spanish.translate(public_change_name(undone(text))) == "Azul robo"
    assert spanish.translate(change_as_spoken(undone(text))) == "robo de Azul"
    lay = "hand\nRed 6-6\nBlue 6-3\nRed 6-4 @right"
    assert spanish.translate(change_as_spoken(undone(lay))) == "Rojo 6-4 @der."
    assert public_change_name(undone(lay)) == "Red 6-4 @right"


def moment(text: str) -> Json:
    return describe(Moment(CATALOG, played(text), 7, 1, {}))


def test_contradictions_are_translated() -> None:
    told = moment("hand\nRed 6-6\nBlue 5-4!")
    [notice] = told["latest"][0]["notices"]
    said = translated("es").translate(notice["words"])
    assert said.startswith("contradicción: ") and "fit" not in said


def test_reasons_for_corrected_chips_are_translated() -> None:
    told = moment("hand\nRed 6-6\nBlue 6-3\nchips Blue 5 agreed")
    said = translated("es").translate(told["latest"][0]["said"]["words"])
    assert said == "Monedas de Azul corregidas en +5: de acuerdo"
