"""A listener for tests of the voice, which receives the box's speech as words instead of sound
clips."""

import re
from collections.abc import Sequence
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.app.speaking import Speaking
from companion.console.screen_saver import NEVER, RestTimes
from companion.console.sounds import ShownPicture
from companion.devices.voice import Clip, Clips, SoundCard
from companion.record.rows import Setting
from tests.rig import Rig


class WordClips(Clips):
    """Clips whose samples are their words."""

    def clip(self, piece: str) -> Clip:
        return Clip(1, piece.encode())

    def speak_once(self, text: str) -> Clip:
        return self.clip(text)

    def has(self, piece: str) -> bool:
        return bool(piece)


class RecordingCard(SoundCard):
    """A sound card that notes what is played, by sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []

    def play(self, clips: Sequence[Clip]) -> None:
        words = (clip.samples.strip(b"\0").decode() for clip in clips)
        self.log += filter(None, re.split(r" ?\n ?", " ".join(word or "\n" for word in words)))


class Listener:
    """A box with a voice, and its speech: `press` returns what it says after a key."""

    def __init__(self, folder: Path, level: str = "everything", rest: RestTimes = NEVER) -> None:
        self.rig, self.ears = Rig(folder / "r.db", rest=rest, hear=self._heard), RecordingCard()
        self.reports: list[str] = []
        self._speaking = Speaking(
            CATALOG,
            self.ears,
            lambda language: WordClips(language, folder),
            report=self.reports.append,
        )
        self.rig.table._state.keep(Setting("voice", level), None)
        self.rig.table.show()
        self.said()

    def _heard(self, heard: ShownPicture) -> None:
        self._speaking.hear(heard)

    def said(self) -> list[str]:
        """The sentences spoken since the last call."""
        before = len(self.ears.log)
        self._speaking.tell(self.rig.snapshots[-1])
        self._speaking.speak_waiting()
        return self.ears.log[before:]

    def press(self, keys: str) -> list[str]:
        """Presses keys one after the other; returns the box's sentences."""
        found = list[str]()
        for key in keys.split():
            self.rig.press(key)
            found += self.said()
        return found

    def close(self) -> None:
        """Switches the box off."""
        self.rig.close()
