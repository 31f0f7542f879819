"""A card with the release before takes this version from a stick, and goes back, on an emulated
Raspberry Pi 3: `make rig-card-previous` makes that card and tries it.

Each version plays a game. The older one can't read the newer one's: it goes back with the record as
it was before the update, by the commands in systemd/image/README.md. QEMU's firmware can't try a
system: the rig starts what a real one would (Card.boot).
"""

import os
import re
from functools import partial
from pathlib import Path

import pytest

from companion.app.updates.file import EXTENSION
from companion.app.updates.systems import TRIAL_CONFIG
from companion.core.keys import Key
from tests.rigs.card import TOOLS, Card
from tests.rigs.card_sticks import sign_again, usb_stick
from tests.rigs.roots import need

SETTINGS = '[box]\nhardware = "answering"\n'
FIRST = "1 2 1 OK OK 1 6 3 OK"
"""The keys of a box without games for a game of High Five for two with two plays."""
REMATCH = "OK 1 OK 1 6 3 OK"
"""The same for a box that shows the result of an ended game."""
END = "MENU 9 2 2"
PLAYED, ENDED = "hand\nRed 6-6\nBlue 6-3", "hand\nRed 6-6\nBlue 6-3\nend"
NEW = "999.0"
"""The version that the update is called: 0.3 refuses one with `.dev`."""
REFUSED = "Version 0.3.0 can't read this record (rules 3, it knows 2)"
README = Path(__file__).parents[2] / "systemd" / "image" / "README.md"
KEPT = "test -e /data/update/trying || echo kept"
pytestmark = pytest.mark.serial


def test_a_card_of_the_previous_release_can_be_updated_and_rolled_back(
    tmp_path: Path, tell: list[str]
) -> None:
    need(*TOOLS, "mkfs.vfat")
    before, image = Path(os.environ["CARD_BEFORE"]), Path(os.environ["CARD_IMAGE"])
    (made,) = image.parent.glob(f"*{EXTENSION}")
    update = sign_again(made, Path(os.environ["CARD_KEY"]), NEW, tmp_path / f"new{EXTENSION}")
    stick = usb_stick(tmp_path, update)
    with Card(before, tmp_path, {"companion.toml": SETTINGS}) as card:
        card.boot()
        old = version(card)
        play(card, FIRST)
        card.plug_in(stick)
        card.until_it_starts_anew()
        assert (card.chosen(), card.chosen(TRIAL_CONFIG)) == ("a/", "b/")
        card.boot()
        card.until(lambda: card.tell(KEPT), "the new version is kept")
        new = version(card)
        assert new != old and ENDED in card.tell("companion export 1")
        play(card, REMATCH)
        assert REFUSED in card.tell("companion update --previous 2>&1")
        card.tell(commands_to_go_back())
        card.until_it_starts_anew()
        assert (card.chosen(), card.chosen(TRIAL_CONFIG)) == ("b/", "a/")
        card.boot()
        card.until(lambda: card.tell(KEPT), "the version before is kept")
        assert version(card) == old
        assert card.tell("companion verify --all >/dev/null && echo well") == "well"
        assert ENDED in card.tell("companion export 1") and not card.tell("companion export 2")
        play(card, REMATCH)
        card.cut()
        assert card.chosen() == "a/"
    tell += [f"{old}, {new}, {old}: {', '.join(f'{s:.0f} s' for s in card.boots)} to the table"]


def commands_to_go_back() -> str:
    """The commands that the image's documentation gives for going back with the older record."""
    text = README.read_text(encoding="utf-8")
    found = re.search("```sh\n(systemctl stop companion\n.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def version(card: Card) -> str:
    """The version that runs."""
    return card.tell("companion --version").split()[-1]


def play(card: Card, keys: str) -> None:
    """Begins a game with these keys of the page, and ends it: no update comes during a game."""
    with card.stay_at_the_page() as page:
        card.until(lambda: page.words, "the page")
        for words, text in ((keys, PLAYED), (END, ENDED)):
            for word in words.split():
                page.press(Key(word))
            card.until(partial(shows_game, card, text), text)


def shows_game(card: Card, text: str) -> bool:
    """Whether the newest game ends with this text."""
    return card.tell("companion export").endswith(text)
