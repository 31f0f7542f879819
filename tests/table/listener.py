"""A listener for tests of the voice: it gets the box's speech as words instead of sound clips."""

import re
from collections.abc import Sequence
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.app.speaking import Speaking
from companion.console.screen_saver import NEVER, Rest
from companion.console.sounds import Heard
from companion.devices.voice import Clip, Clips, SoundCard
from companion.record.rows import Setting
from tests.rig import Rig


class Words(Clips):
    """Clips whose samples are their words."""

    def clip(self, piece: str) -> Clip:
        return Clip(1, piece.encode())

    def speak_once(self, text: str) -> Clip:
        return self.clip(text)

    def has(self, piece: str) -> bool:
        return bool(piece)


class Ears(SoundCard):
    """A sound card that notes what is played, sentence by sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []

    def play(self, clips: Sequence[Clip]) -> None:
        words = (clip.samples.strip(b"\0").decode() for clip in clips)
        self.log += filter(None, re.split(r" ?\n ?", " ".join(word or "\n" for word in words)))


class Listener:
    """A box with a voice, and what is heard of it: `press` gives what a key makes it say."""

    def __init__(self, folder: Path, level: str = "everything", rest: Rest = NEVER) -> None:
        self.rig, self.ears = Rig(folder / "r.db", rest=rest, hear=self._heard), Ears()
        self.reports: list[str] = []
        self._speaking = Speaking(
            CATALOG,
            self.ears,
            lambda language: Words(language, folder),
            report=self.reports.append,
        )
        self.rig.table._state.keep(Setting("voice", level), None)
        self.rig.table.show()
        self.said()

    def _heard(self, heard: Heard) -> None:
        self._speaking.hear(heard)

    def said(self) -> list[str]:
        """What the box has said since the last call, sentence by sentence."""
        before = len(self.ears.log)
        self._speaking.tell(self.rig.snapshots[-1])
        while self._speaking.go_on():
            pass
        return self.ears.log[before:]

    def press(self, keys: str) -> list[str]:
        """Presses keys one after the other; gives what the box says then."""
        found = list[str]()
        for key in keys.split():
            self.rig.press(key)
            found += self.said()
        return found

    def close(self) -> None:
        """Switches the box off."""
        self.rig.close()
