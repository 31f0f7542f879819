"""The lowest line: every seat, with as many letters of its name as there is room for."""

import pytest

from companion.console.fonts import text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import cut_names, draw_scores
from companion.console.screen import settlement_words
from companion.core.seats import Seat
from companion.games.game import Payment
from companion.games.settlement import HandEnding
from companion.presentation.language import ENGLISH
from tests.catalogues import translated
from tests.manual.reading import reads


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ({"Anna": 0, "Bert": 15, "Carla": 35, "Dirk": 5}, "Ann 0|Ber 15|Carl 35|Dirk 5"),
        ({"Bo": 60, "Wilhelmina": 45, "Al": 75, "Maximilian": 0}, "Bo 60|Wilhel 45|Al 75|Maximi 0"),
        ({"Red": 90, "Blue": 145, "Green": 95}, "Red 90|Blue 145|Green 95"),
        ({"Wilhelmina": 100, "Bo": 0, "Maximilian": 145}, "Wilhelmi 100|Bo 0|Maximilia 145"),
    ],
)
def test_each_name_gets_as_many_letters_as_fit(scores: dict[str, int], shown: str) -> None:
    canvas = Canvas()
    draw_scores(canvas, tuple(scores.items()))
    for text in shown.split("|"):
        assert reads(canvas.frame(), text), text


def test_names_rarely_move_as_points_grow() -> None:
    def drawn(points: int) -> list[str]:
        canvas = Canvas()
        draw_scores(canvas, (("Anna", points), ("Bert", 15), ("Carla", 35), ("Dirk", 5)))
        return [row[40:] for row in canvas.frame().rows()]

    assert drawn(5) == drawn(95)


@pytest.mark.parametrize("room", range(20, WIDTH, 9))
def test_names_stay_within_their_columns(room: int) -> None:
    names = ("Wilhelmina", "Bo", "Anne Marie", "Maximilian")
    cut = cut_names(names, room)
    assert sum(map(text_width, cut)) <= room
    assert all(name.startswith(short) and short for name, short in zip(names, cut, strict=True))


@pytest.mark.parametrize(
    ("side", "shown"),
    [
        ("Red+Blue", "Red+Blue 0"),
        ("Red+Green", "Red+Gree. 0"),
        ("Maximilian+Bo", "Maximil.+Bo 0"),
        ("Wilhelmina+Maximilian", "Wilh.+Maxi. 0"),
    ],
)
def test_the_longer_partners_name_is_shortened_with_a_dot(side: str, shown: str) -> None:
    canvas = Canvas()
    draw_scores(canvas, ((side, 0), ("Al+Ed", 5)))
    assert [line.text for line in canvas.frame().texts] == [shown, "Al+Ed 5"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("en", "RED pays BLUE: 13 → 15"),
        ("es", "ROJO paga a AZUL: 13 → 15"),
        ("pt-BR", "VERME. paga a AZUL: 13 → 15"),
    ],
)
def test_names_are_shortened_to_fit_each_language(name: str, shown: str) -> None:
    language = ENGLISH if name == ENGLISH.name else translated(name)
    payment = Payment(Seat("Red"), Seat("Blue"), 15, HandEnding.OUT)
    said = language.translate(settlement_words(13, payment, "", language))
    assert said == shown and text_width(said) <= WIDTH


@pytest.mark.parametrize(
    ("names", "cut"),
    [
        (("Vermelho", "Azul", "Verde", "Amarelo"), ("Vem", "Azu", "Ved", "Ama")),
        (("Anna", "Ann", "Anne", "Bo"), ("Anna", "Ann", "Anne", "Bo")),
        (("Marianne", "Marion", "Wilhelmina"), ("Maa", "Mao", "Wilh")),
    ],
)
def test_names_with_the_same_beginning_stay_distinguishable(
    names: tuple[str, ...], cut: tuple[str, ...]
) -> None:
    room = sum(map(text_width, cut))
    assert cut_names(names, room) == cut
    for less in range(14):
        found = cut_names(names, room - less)
        assert sum(map(text_width, found)) <= room - less and len({*found}) == len(names)
