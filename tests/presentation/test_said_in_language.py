"""What the record finds doubtful, and the words that the program writes into it, are said in the
language that people read."""

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.presentation.moment import Moment, describe
from tests.catalogues import translated
from tests.presentation.test_moment import played


def moment(text: str) -> Json:
    return describe(Moment(CATALOG, played(text), 7, 1, {}))


def test_a_contradiction_is_told_in_the_language() -> None:
    told = moment("hand\nRed 6-6\nBlue 5-4!")
    [notice] = told["latest"][0]["notices"]
    said = translated("es").put(notice["words"])
    assert said.startswith("contradicción: ") and "fit" not in said


def test_why_chips_were_corrected_is_told_in_the_language() -> None:
    told = moment("hand\nRed 6-6\nBlue 6-3\nchips Blue 5 agreed")
    said = translated("es").put(told["latest"][0]["said"]["words"])
    assert said == "Chapas de Azul corregidas en +5: de acuerdo"
