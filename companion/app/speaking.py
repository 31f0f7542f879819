"""The thread that says what happens at the table, by clips and a sound card.

While it speaks the newest snapshot waits; what happened in between is said with it, so nothing is
left out and nothing queues up. A sound card that is dead is told in one line, and the table goes
on; it is tried again once the voice is switched on anew.
"""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition
from typing import Final

from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.devices.voice.clips import Clip, Clips, VoiceError
from companion.devices.voice.pieces import all_pieces, pieces_of
from companion.devices.voice.sound_card import SoundCard
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language
from companion.presentation.languages import spoken
from companion.presentation.names_called import calling
from companion.presentation.voice import OFF, Voice
from companion.record.settings import VOICE
from companion.table.snapshot import Snapshot, described

PAUSE_S: Final = 0.15
"""Between two sentences."""
PATIENCE_S: Final = 0.5


class Speaking:
    """Says by the `card` what the snapshots that it is given have anew. `made`: where clips are
    kept; `recorded`: the folder of recorded ones; the `language` is spoken until the table chooses
    one. `report` gets lines about what is wrong."""

    def __init__(
        self,
        games: PresentedGames,
        card: SoundCard,
        made: Path,
        recorded: Path | None,
        *,
        report: Callable[[str], None],
        language: Language = ENGLISH,
    ) -> None:
        self._games, self._card, self._report, self._language = games, card, report, language
        self._made, self._recorded = made, recorded
        self._clips: dict[str, Clips] = {}
        self._voice: Voice | None = None
        self._spoken = language
        self._missing: Iterator[str] = iter(())
        """Pieces for which clips are made while nothing is to be said."""
        self._dead = False
        self._news = Condition()
        self._newest: Snapshot | None = None
        self._stopping = False
        self._thread = NamedThread("voice", self._run)

    def start(self) -> None:
        """Begins to speak."""
        self._thread.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Takes the state of the table from now on; waits for nothing."""
        with self._news:
            self._newest = snapshot
            self._news.notify()

    def close(self) -> None:
        """Silence, for good."""
        with self._news:
            self._stopping = True
            self._news.notify()
        self._card.close()
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        while True:
            snapshot = self._taken()
            piece = next(self._missing, None) if snapshot is None else None
            if snapshot is None and piece is None:
                with self._news:
                    self._news.wait_for(lambda: self._newest or self._stopping)
            if self._stopping:
                return
            try:
                if snapshot is not None:
                    self._hear(snapshot)
                elif piece is not None:
                    self._clips_of(self._spoken).clip(piece)
            except VoiceError as error:
                self._fail(error)
            except Exception:
                traceback.print_exc()  # a fault of ours must not end the voice

    def _taken(self) -> Snapshot | None:
        """The newest snapshot, if it is not said yet. Nothing else happens under the lock, since
        the loop asks for it, too."""
        with self._news:
            snapshot, self._newest = self._newest, None
            return snapshot

    def _fail(self, error: VoiceError) -> None:
        self._missing = iter(())
        if not self._dead and not self._stopping:
            self._report(f"The box is silent: {error}. The table goes on without its voice.")
        self._dead = True

    def _hear(self, snapshot: Snapshot) -> None:
        level = str(snapshot.settings.get(VOICE, OFF))
        if level == OFF:
            self._voice, self._dead = None, False
            return
        language = spoken(snapshot.settings, self._language)
        begins = self._voice is None
        self._voice = self._voice or Voice()
        said = self._voice.hear(described(snapshot, self._games), level)
        if self._dead:
            return
        called = calling(language, snapshot.journal, snapshot.known)
        self._card.play([*self._speech(said, called)])
        if begins or language is not self._spoken:
            self._spoken = language
            clips = self._clips_of(language)
            self._missing = (one for one in all_pieces(language) if not clips.has(one))

    def _speech(self, said: list[Json], language: Language) -> Iterator[Clip]:
        clips = self._clips_of(language)
        for number, sentence in enumerate(said):
            spoken_clips = [clips.clip(one) for one in pieces_of(sentence["words"], language)]
            if number and spoken_clips:
                rate = spoken_clips[0].rate
                yield Clip(rate, bytes(2 * int(rate * PAUSE_S)))
            yield from spoken_clips

    def _clips_of(self, language: Language) -> Clips:
        if language.name not in self._clips:
            self._clips[language.name] = Clips(language.name, self._made, self._recorded)
        return self._clips[language.name]
