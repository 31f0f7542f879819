"""Checks the voice: is there a sound card, may it be used, and is it heard?"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from companion.app.check.bench import Bench
from companion.app.check.board import rights
from companion.app.check.finding import Finding, ok, warning
from companion.core.words import listed, phrase
from companion.devices.voice.clips import MissingClip, MissingPlayer, VoiceError
from companion.games.options import Value
from companion.presentation.language import language_of, spoken
from companion.presentation.sayings import words_of
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader

HEARD: Final = "Did you hear it? [Y/n]"
CARDS: Final = phrase(
    "{command} names the cards, for {setting} in the configuration: hw/voice.md",
    command="aplay -L",
    setting="[voice] device",
)
"""The remedy for a card that plays nothing."""
_CARD: Final = re.compile(r"^ *\d+ \[(\S+) *\]: .* - (.*)$", re.MULTILINE)
"""A card in the kernel's list: its short name and what it is."""


def check_voice(bench: Bench) -> Iterator[Finding]:
    """Checks the voice by saying a sentence in the table's language, by the sound card that the
    table would take."""
    device = bench.config.voice.device or "default"
    cards = _CARD.findall(bench.machine.text("proc/asound/cards"))
    if not cards and device == "default":
        yield ok(phrase("no sound card is there, and none is needed"))
        return
    for node in sorted((bench.machine.root / "dev/snd").glob("control*")):
        for refused in rights(bench, node, "audio"):
            yield refused
            return
    card = ", ".join(f"{name} ({what})" for name, what in cards)
    card = card or phrase("no card that the kernel knows")
    language = spoken(_chosen(bench), language_of(bench.config.box.language))
    said = language.put(words_of("heard.count", count=15))
    try:
        clip = bench.machine.speak(said, language.name)
        bench.terminal.tell(f"The box says “{said}” by the sound card “{device}”.")
        bench.machine.sound_card(device).play([clip])
    except (MissingClip, MissingPlayer) as error:
        yield warning(
            listed((card, error.why), ": "), phrase("until then the box plays without a voice")
        )
        return
    except VoiceError as error:
        yield warning(listed((card, error.why), ": "), CARDS)
        return
    if not bench.terminal.asks:
        played = phrase(
            "{card}: “{device}” has played “{said}”; nobody was asked who heard it",
            card=card,
            device=device,
            said=said,
        )
        yield ok(played)
    elif bench.terminal.ask(HEARD).lower().startswith("n"):
        yield warning(
            phrase("{card}: “{device}” has played, but nobody heard it", card=card, device=device),
            phrase(
                "{command}: is it silent (MM)? {other} names other cards, for {setting}",
                command="alsamixer",
                other="aplay -L",
                setting="[voice] device",
            ),
        )
    else:
        yield ok(phrase("{card}: “{device}” is heard", card=card, device=device))


def _chosen(bench: Bench) -> Mapping[str, Value]:
    """The settings that were chosen at the table; none if the record can't be read, which its own
    check reports."""
    if not bench.record.exists():
        return {}
    try:
        with Reader.open(bench.record, bench.games) as reader:
            return reader.settings()
    except (StoreError, OSError):
        return {}
