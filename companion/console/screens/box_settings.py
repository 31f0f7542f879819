"""The screens about the box: its settings, which keypad is at which seat, and the check of its
parts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from companion.console.fonts import text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.lists import Choices, ListScreen, Note, draw_title
from companion.console.screen import Basis, ChooseAction, Items, Outcome, Screen, View
from companion.console.screens.confirm import YesOrNo, draw_confirm
from companion.console.sounds import SETTING as SOUND_SETTING
from companion.core.box_page import BoxCheck, PageRequest
from companion.core.keys import Key, Press
from companion.core.languages import LANGUAGE, OWN_NAMES
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.games.house_rules import Value
from companion.presentation.page_words import PARTS, RESULTS
from companion.record.rows import Setting
from companion.record.settings import VOICE, seat_setting


@dataclass(frozen=True, slots=True)
class BoxSetting:
    """A setting: its name in the record, its name on the screen, and its values as (value,
    words)."""

    name: str
    label: str
    choices: tuple[tuple[Value, str], ...]

    def words(self, value: Value) -> str:
        """Returns the label of a value; the first label for an unknown value."""
        return dict(self.choices).get(value, self.choices[0][1])


BOX = (
    BoxSetting("holding", phrase("Holdings keyed as"), (
        ("tiles", phrase("Tiles")), ("pips", phrase("Pips")),
    )),
    BoxSetting("tell-bogus", phrase("Bogus play proven"), (
        ("off", phrase("Say nothing")), ("mark", phrase("Say so, not who")),
        ("aloud", phrase("Say who, once")),
    )),
    BoxSetting("keypads", phrase("Seat keypads"), (
        ("turn", phrase("Only on your turn")), ("anyone", phrase("Anybody may key")),
    )),
    BoxSetting("contrast", phrase("Brightness"), (
        (30, phrase("Low, spares the display")), (90, phrase("Middle")), (200, phrase("High")),
    )),
    BoxSetting("flip", phrase("Picture"), (
        ("off", phrase("This way up")), ("on", phrase("Upside down")),
    )),
)  # fmt: skip


SOUND = BoxSetting(SOUND_SETTING, phrase("Sound"), (
    ("quiet", phrase("Quiet")), ("on", phrase("On")), ("off", phrase("Off")),
))  # fmt: skip
"""Added after the settings in BOX, so its digit comes after theirs."""

VOICE_OF_BOX = BoxSetting(VOICE, phrase("Voice"), (
    ("off", phrase("No voice")), ("counts", phrase("Voice: counts")),
    ("everything", phrase("Voice: everything")),
))  # fmt: skip
"""Its values are listed below those of the sound, because the box's list has no free digit."""

SPOKEN = BoxSetting(LANGUAGE, phrase("Language"), tuple(OWN_NAMES.items()))
"""Has the digit 0 in the box's list, as in the set-up. Each language is listed by its own name."""


NO_NOTES: Final[Mapping[Value, str]] = {}


def change_setting(
    setting: BoxSetting, *below: BoxSetting, notes: Mapping[Value, str] = NO_NOTES
) -> ChooseAction[B]:
    """Returns the action of an item that opens a list of the values of `setting`, with the bar on
    the current one. The values of the settings `below` follow in the same list. `notes`: a text to
    show after a value is chosen, by value."""

    def opened(view: View[B], parent: Screen[B]) -> Outcome[B]:
        values = [value for value, _ in setting.choices]
        now = view.settings.get(setting.name, view.language.name)
        lines: Items[B] = tuple(
            (words, _setting_choice(one.name, value, notes.get(value)))
            for one in (setting, *below)
            for value, words in one.choices
        )
        at = values.index(now) if now in values else 0
        return Outcome(Choices(at=at, heading=setting.label, choices=lines, parent=parent))

    return opened


def _setting_choice(name: str, value: Value, note: str | None) -> ChooseAction[B]:
    return lambda _view, _list: Outcome(Note(note) if note else None, Setting(name, value))


def choose_language(view: View[B], parent: Screen[B]) -> Outcome[B]:
    """Opens the list of languages. After the choice, `parent` is shown again in that language."""

    def language_choice(name: str) -> ChooseAction[B]:
        return lambda _view, _list: Outcome(parent, Setting(LANGUAGE, name))

    lines: Items[B] = tuple((own, language_choice(name)) for name, own in OWN_NAMES.items())
    at = list(OWN_NAMES).index(view.language.name) if view.language.name in OWN_NAMES else 0
    return Outcome(Choices(at=at, heading=SPOKEN.label, choices=lines, parent=parent))


def other_languages(view: View[B]) -> str:
    """Returns a line with the other languages, each by its own name, as many as fit after a digit.
    People who can't read the display's language recognise theirs there."""
    names = [own for name, own in OWN_NAMES.items() if name != view.language.name]
    found = ", ".join(names)
    while text_width(found) > WIDTH - 14:
        names.pop()
        found = ", ".join(names) + "…"
    return found


# ---------------------------------------------------------------- check box
# The check of the box: whether each part that is plugged in works, and what to do if not.


CHECK_TITLE: Final = phrase("Check this box")


def open_check(parent: Screen[B] | None) -> Outcome[B]:
    return Outcome(CheckBox(parent=parent), page_request=PageRequest.CHECK_BOX)


@dataclass(frozen=True, slots=True)
class CheckBox(ListScreen[B]):
    """The box's parts and their condition. OK shows the findings about the part under the bar, and
    what to do."""

    basis: ClassVar = Basis.NOTHING

    def title(self, view: View[B]) -> str:
        check = view.box_check or BoxCheck(under_way=True)
        return phrase("One moment …") if check.under_way else CHECK_TITLE

    def lines(self, view: View[B]) -> tuple[str, ...]:
        check = view.box_check or BoxCheck(under_way=True)
        if check.why:
            return (phrase("The box can't be checked"),)
        return tuple(
            phrase(
                "{part}: {result}",
                part=PARTS.get(one.part, one.part),
                result=RESULTS.get(one.result, one.result),
            )
            for one in check.parts
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        """Shows all findings about a part, as in `companion check`. If new firmware for the keypads
        would help, asks whether to install it."""
        check = view.box_check or BoxCheck()
        if check.why:
            return Outcome(Note(check.why, self))
        one = check.parts[at]
        if one.renews_keypads:
            return Outcome(RenewKeypads(self))
        said = listed((one.found, one.remedy), ". ") if one.remedy else one.found
        return Outcome(Note(said, self))


@dataclass(frozen=True, slots=True)
class RenewKeypads(YesOrNo[B]):
    """Asks for confirmation before the keypads get new firmware, because they don't work during the
    update."""

    below: Screen[B] | None = None

    basis: ClassVar = Basis.NOTHING

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(None, page_request=PageRequest.RENEW_KEYPADS)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        text = phrase("This takes half a minute per keypad. It doesn't work meanwhile.")
        draw_confirm(canvas, phrase("New firmware?"), text, phrase("OK: yes   BACK: no"))


# ---------------------------------------------------------------- seats of keypads


@dataclass(frozen=True, slots=True)
class ClaimKeypad(Screen[B]):
    """Asks for the keypads of the seats, one seat after another. The person at the seat presses OK
    on the keypad; OK on the box means that the seat has none."""

    seats: tuple[Seat, ...]
    """The seats without an answer so far; the first one is being asked."""
    parent: Screen[B] | None = None
    heard: frozenset[str] = frozenset()
    """The keypads that have been assigned so far."""

    claiming: ClassVar = True

    def asks_seat_of(self, _keypad: str) -> bool:
        return True

    def handle_press(self, view: View[B], press: Press) -> Outcome[B]:
        """OK on a keypad assigns it to the seat being asked. Once all keypads are assigned, no
        other seat is asked. A second OK on the same keypad is refused, so that it doesn't take the
        next seat."""
        if press.source is None:
            return self.press(view, press.key)
        keypad, seat = press.source.keypad, self.seats[0]
        if keypad in self.heard:
            mine = display_name(view.keypads.get(keypad) or "")
            return Outcome(
                self,
                refused=phrase(
                    "This keypad is {mine}'s. {seat} is asked now.",
                    mine=mine,
                    seat=display_name(seat),
                ),
            )
        if press.key is not Key.OK:
            return Outcome(
                self, refused=phrase("OK makes this keypad {seat}'s.", seat=display_name(seat))
            )
        heard = self.heard | {keypad}
        after = (
            replace(self, heard=heard)._next_question()
            if view.keypads.keys() - heard
            else self.parent
        )
        return Outcome(after, Setting(seat_setting(keypad), seat))

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self._next_question())

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def _next_question(self) -> Screen[B] | None:
        rest = self.seats[1:]
        return replace(self, seats=rest) if rest else self.parent

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the seat being asked, and what to do."""
        draw_title(canvas, phrase("Whose keypad is whose?"))
        canvas.text(0, 16, canvas.capitals(display_name(self.seats[0]), WIDTH, "caps"), "caps")
        canvas.text(0, 34, phrase("Press OK on the keypad"))
        canvas.text(0, 42, phrase("in front of you."))
        canvas.text(2, 56, phrase("OK here: none  BACK: done"))
        canvas.invert(0, 7, WIDTH)


def claim_keypads(view: View[B], seats: tuple[Seat, ...]) -> Screen[B] | None:
    """Returns the screen that asks for the keypads of seats without one, if keypads without a seat
    are plugged in; otherwise None."""
    taken = {seat for seat in view.keypads.values() if seat in seats}
    free = {keypad for keypad, seat in view.keypads.items() if seat not in seats}
    asked = tuple(seat for seat in seats if seat not in taken)
    return ClaimKeypad(asked, heard=frozenset(view.keypads) - free) if free and asked else None


@dataclass(frozen=True, slots=True)
class WhoseKeypad(ListScreen[B]):
    """Asks whose keypad it is, after one without a seat was pressed during a game."""

    keypad: str = ""
    below: Screen[B] | None = None

    hint: ClassVar = phrase("Digit: its seat. BACK: none")
    claiming: ClassVar = True

    def asks_seat_of(self, keypad: str) -> bool:
        return keypad == self.keypad

    def handle_press(self, view: View[B], press: Press) -> Outcome[B]:
        """Takes answers from that keypad and from the box. Keys of other keypads are refused,
        because they were meant for the game."""
        if press.source and press.source.keypad != self.keypad:
            waits = (
                phrase("{seat} waits", seat=display_name(press.seat))
                if press.seat
                else phrase("Wait")
            )
            return Outcome(
                self, refused=phrase("{waits}: a new keypad needs its seat first.", waits=waits)
            )
        return self.press(view, press.key)

    def title(self, _view: View[B]) -> str:
        return phrase("Whose keypad is this?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(display_name(seat) for seat in view.state.seats)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        seat = view.state.seats.order[at]
        return Outcome(self.below, Setting(seat_setting(self.keypad), seat))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.below)
