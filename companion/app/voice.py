"""The box's voice: loaded once somebody has switched it on (speaking.py)."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.config import VoiceOfBox
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language
from companion.record.settings import VOICE, VOICE_LEVELS
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    from companion.app.speaking import Speaking
    from companion.console.sounds import Heard
    from companion.devices.voice.clips import Clips


def clips_of(told: VoiceOfBox, made: Path) -> "Callable[[str], Clips]":
    """The function that gives the clips of a language by its name, as the configuration `told` has
    it. `made`: the folder for the clips that the box makes."""

    def clips(language: str) -> "Clips":
        from companion.devices.voice.clips import Clips

        return Clips(language, made, Path(told.clips) if told.clips else None)

    return clips


class BoxVoice:
    """The box's voice, as the configuration `told` has it. `clips` gives the clips of a language by
    its name; `report` gets lines about what is wrong; `language` is spoken until the table chooses
    one."""

    def __init__(
        self,
        games: PresentedGames,
        told: VoiceOfBox,
        clips: "Callable[[str], Clips]",
        report: Callable[[str], None],
        language: Language = ENGLISH,
    ) -> None:
        self._games, self._told, self._clips = games, told, clips
        self._report, self._language = report, language
        self._speaking: Speaking | None = None

    def tell(self, snapshot: Snapshot) -> None:
        """Takes the state of the table from now on; loads the voice once it is switched on. Returns
        at once."""
        off = VOICE_LEVELS[0]
        if self._speaking is None and snapshot.settings.get(VOICE, off) != off:
            self._speaking = self._begun()
        if self._speaking is not None:
            self._speaking.tell(snapshot)

    def hear(self, heard: "Heard") -> None:
        """Takes a picture and the keys that led to it. Returns at once."""
        if self._speaking is not None:
            self._speaking.hear(heard)

    def close(self) -> None:
        """Ends the voice for good, at once."""
        if self._speaking is not None:
            self._speaking.close()

    def _begun(self) -> "Speaking":
        from companion.app.speaking import Speaking
        from companion.devices.voice.sound_card import SoundCard

        card, report = SoundCard(self._told.device), self._report
        speaking = Speaking(self._games, card, self._clips, report=report, language=self._language)
        speaking.start()
        return speaking
