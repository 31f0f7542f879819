"""Players with unusual names: with a space, marks, emoji, or letters written from right to left.
Every page works for them as for all players; in real browsers."""

import pytest

from companion.core.seats import display_name
from companion.core.words import isolated
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.seats import deal, give_names, set_players
from tests.web.test_keying_page import ok, phone, tap
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture
from tests.web.test_your_turn import felt, sits

MARGARET, ZOE, KIT, SARAH = "Granny_Margaret", "Zoe\u0308_Lu", "🦊_Kit", "שרה_לוי"
SEATS = (MARGARET, ZOE, KIT, SARAH)
PLAYS = ("6-6", "6-3", "3-3", "3-1", "1-1")


def begun(number: int, seats: tuple[str, ...] = SEATS) -> str:
    """A hand after this many plays; the first seat leads."""
    return "\n".join(["hand", *(f"{seats[at % len(seats)]} {PLAYS[at]}" for at in range(number))])


def asked(viewer: Viewer, words: str) -> None:
    viewer.tab.wait_for_selector(f'#asked:text-is("{words}")', timeout=WAIT_MS)


@pytest.mark.parametrize("number", range(1, 5))
def test_the_player_to_move_sees_that_it_is_their_turn(view: View, number: int) -> None:
    before, seat = SEATS[number - 1], SEATS[number % 4]
    mover = sits(view, before, begun(number - 1), seats=" ".join(SEATS), has_touch=True)
    waiting = sits(view, seat)
    tap(mover, f'[data-tile="{PLAYS[number - 1]}"]')
    ok(mover)
    asked(waiting, f"Your turn, {isolated(display_name(seat))}")
    assert waiting.tab.locator("body.your-turn").count() == 1
    assert sorted(map(str, felt(waiting))) == ["buzz 120", "flash"]
    asked(mover, f"{isolated(display_name(seat))}'s turn")
    assert not mover.tab.locator("body.your-turn").count()


@pytest.mark.parametrize("seat", SEATS)
def test_a_player_who_is_paid_sees_who_pays_them(view: View, seat: str) -> None:
    at = SEATS.index(seat)
    seats = (*SEATS[at:], *SEATS[:at])
    paid = sits(view, seat, f"hand\n{seat} 5-5", seats=" ".join(seats))
    pays = sits(view, seats[2])
    assert (
        paid.tab.inner_text("#payments .pays") == f"{isolated(display_name(seats[2]))} pays you 10"
    )
    assert pays.tab.inner_text("#payments .pays") == f"You pay {isolated(display_name(seat))} 10"


@pytest.mark.parametrize(
    ("language", "said"), [("es", "Te toca, Azul"), ("nl", "Jij bent aan de beurt, Blauw")]
)
def test_a_seat_without_a_player_sees_its_turn_in_every_language(
    view: View, language: str, said: str
) -> None:
    page = sits(view, "Blue", "hand\nRed 6-6", locale=language)
    assert page.tab.inner_text("#asked") == said


def test_a_renamed_player_sees_the_turn_under_the_new_name(view: View) -> None:
    anna = sits(view, "Anan", "hand\nTom 6-6", seats="Tom Anan", has_touch=True)
    assert anna.tab.inner_text("#asked") == "Your turn, Anan"
    tap(anna, '#seats [data-seat="Anan"]')
    anna.tab.fill("#renaming input", "Anna Lou")
    tap(anna, "#renaming .act.main")
    ok(anna)
    asked(anna, "Your turn, Anna Lou")


PLACE = """(name) => {
  const text = document.createTreeWalker(document.querySelector("#meaning"), NodeFilter.SHOW_TEXT);
  while (text.nextNode()) {
    const at = text.currentNode.data.indexOf(name);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text.currentNode, at);
    range.setEnd(text.currentNode, at + name.length);
    const { top, left } = range.getBoundingClientRect();
    return [top, left];
  }
}"""


def test_right_to_left_names_are_confirmed_in_the_order_of_the_seats(view: View) -> None:
    names = ("שרה", "דוד", "רות")
    page = phone(view, "hand\nRed 6-6")
    tap(page, '[data-panel="new"] >> visible=true')
    page.tab.wait_for_selector("#panel .place", timeout=WAIT_MS)
    set_players(page.tab, 3)
    give_names(page.tab, names)
    deal(page.tab)
    page.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
    places = [page.tab.evaluate(PLACE, name) for name in names]
    assert places == sorted(places)


def test_right_to_left_names_stay_in_order_among_those_who_play_on(view: View) -> None:
    names = ("שרה", "דוד")
    text = "hand lead רות\n" + "\n".join(f"רות points {points}" for points in (35, 35, 30))
    words = (("match", "5 of 5"), ("match-won", "2 2 0"))
    options = {"name": "all-fives", "match": 5, "target": 100, "words": words}
    view(text, seats=" ".join((*names, "רות")), options=options)
    page = phone(view)
    tap(page, '[data-panel="new"] >> visible=true')
    both = ", ".join(map(isolated, names))
    page.tab.wait_for_selector(f"#panel >> text=Only {both} play on", timeout=WAIT_MS)


def test_a_decomposed_name_is_chosen_with_its_key(view: View) -> None:
    view("hand", seats=f"{ZOE} {KIT}")
    page = phone(view)
    tap(page, '[data-panel="new"] >> visible=true')
    key = page.tab.locator(f'.known [data-name="{ZOE}"]')
    key.wait_for(timeout=WAIT_MS)
    for pressed in ("true", "false"):
        key.tap()
        page.tab.wait_for_selector(
            f'.known [data-name="{ZOE}"][aria-pressed="{pressed}"]', timeout=WAIT_MS
        )
