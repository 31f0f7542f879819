"""The thread that says what happens at the table, by clips and a sound card.

While it speaks the newest snapshot waits; what happened in between is said with it, so nothing
queues up. The next key stops what is being said. One line reports a sound card that is dead, or
that espeak-ng is missing: the table goes on, and so does the voice with the clips that there are.
The card is tried again once the voice is switched on again.
"""

import traceback
from collections.abc import Callable, Iterator
from threading import Condition
from typing import Final

from companion.console.frame import Show
from companion.console.sounds import Heard, readable, spoken_text
from companion.core.threads import NamedThread
from companion.core.words import Sentence
from companion.devices.voice import Clip, Clips, MissingClip, SoundCard, VoiceError
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.presentation.spoken_pieces import all_pieces, pieces_of, pieces_of_names
from companion.presentation.voice import EVERYTHING, OFF, Voice, VoiceQuestion, answer
from companion.record.settings import VOICE
from companion.table.snapshot import Snapshot, moment_json

PAUSE_S: Final = 0.1
"""Seconds between two sentences."""
PATIENCE_S: Final = 0.5


class Speaking:
    """Says through `card` what is new in the snapshots that it is given, and on the screens.
    `clips` returns the clips of a language by its name; `language` is spoken until the table
    chooses one. `report` gets lines about what is wrong."""

    def __init__(
        self,
        games: PresentedGames,
        card: SoundCard,
        clips: Callable[[str], Clips],
        *,
        report: Callable[[str], None],
        language: Language = ENGLISH,
    ) -> None:
        self._games, self._card, self._report, self._language = games, card, report, language
        self._open_clips = clips
        self._clips: dict[str, Clips] = {}
        self._voice: Voice | None = None
        self._spoken = language
        self._missing: Iterator[str] = iter(())
        """Pieces for which clips are made while nothing is to be said: names first."""
        self._names = list[str]()
        self._dead = self._lacks_clips = False
        self._before: Show | None = None
        """The last screen that was dealt with."""
        self._news = Condition()
        self._newest: Snapshot | None = None
        self._last: Snapshot | None = None
        """The snapshot that was said last."""
        self._heard = list[Heard]()
        self._stopping = False
        self._thread = NamedThread("voice", self._run)

    def start(self) -> None:
        self._thread.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Sets the state of the table. Returns at once."""
        with self._news:
            self._newest = snapshot
            self._news.notify()

    def hear(self, heard: Heard) -> None:
        """Sets what the display shows; a key stops what was being said before it. Returns at
        once."""
        with self._news:
            self._heard.append(heard)
            self._news.notify()
            # The snapshot with a row comes before the picture: if it doesn't wait any more, then
            # it is the key's own row that is being said.
            says_own_row = heard.kept and self._newest is None
            stops = bool(heard.keys) and not says_own_row
        if stops:
            self._card.close()

    def close(self) -> None:
        """Ends the voice for good, at once."""
        with self._news:
            self._stopping = True
            self._news.notify()
        self._card.close()
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        while not self._stopping:
            if not self.go_on():
                with self._news:
                    self._news.wait_for(lambda: self._newest or self._heard or self._stopping)

    def go_on(self) -> bool:
        """Says what there is to say, or else makes a clip that is missing; returns False if there
        is neither."""
        snapshot, heard = self._taken()
        piece = None if snapshot or heard else next(self._missing, None)
        try:
            if snapshot is not None:
                self._last = snapshot
                self._say_news(snapshot)
            if heard:
                self._say_screens(heard)
            if piece is not None:
                self._clips_of(self._spoken).prepare(piece)
        except MissingClip as error:
            self._tell_missing(error)
        except VoiceError as error:
            self._fail(error)
        except Exception:
            traceback.print_exc()  # a fault in the program must not end the voice
        return bool(snapshot or heard or piece is not None)

    def _taken(self) -> tuple[Snapshot | None, list[Heard]]:
        """The newest snapshot, if it is not said yet, and the pictures that came since. Nothing
        else is done under the lock, since the loop waits for it, too."""
        with self._news:
            snapshot, self._newest = self._newest, None
            heard, self._heard = self._heard, []
            return snapshot, heard

    def _fail(self, error: VoiceError) -> None:
        self._missing = iter(())
        if not self._dead and not self._stopping:
            self._report(f"The box is silent: {error}. The table goes on without its voice.")
        self._dead = True

    def _say_news(self, snapshot: Snapshot) -> None:
        level = str(snapshot.settings.get(VOICE, OFF))
        if level == OFF:
            self._voice, self._dead, self._lacks_clips = None, False, False
            self._before = None
            return
        language = table_language(snapshot.settings, self._language)
        begins = self._voice is None
        self._voice = self._voice or Voice()
        moment = moment_json(snapshot, self._games)
        sentences = self._voice.hear(moment, level)
        if self._dead:
            return
        called = with_present_names(language, snapshot.journal, snapshot.known)
        self._card.play([*self._speech([one["words"] for one in sentences], called)])
        names = [called.put(one["shown"]) for one in moment["seats"]]
        if begins or language is not self._spoken or names != self._names:
            self._spoken, self._names = language, names
            clips = self._clips_of(language)
            pieces = *pieces_of_names(names, language), *all_pieces(language)
            self._missing = (one for one in pieces if not clips.has(one))

    def _say_screens(self, heard: list[Heard]) -> None:
        """Says what the keys led to since the last row that was kept, which was spoken already; and
        the answer to a question."""
        last, before, self._before = self._last, self._before, heard[-1].show
        level = OFF if last is None else str(last.settings.get(VOICE, OFF))
        if self._dead or last is None or level == OFF:
            return
        called = with_present_names(
            table_language(last.settings, self._language), last.journal, last.known
        )
        at = max((at for at, one in enumerate(heard) if one.kept), default=0)
        before = heard[at - 1].show if at else before
        texts = list[str]()
        for one in heard[at:]:
            new = spoken_text(before, one) if level == EVERYTHING else []
            digits = [each for each in texts if each.isdecimal()]
            texts = digits + [str(called.put(each)) for each in new]
            before = one.show
            if one.asked is not None:
                texts = self._answered(one, last)
        self._card.play([*self._speech(texts, called)])

    def _answered(self, heard: Heard, snapshot: Snapshot) -> list[str]:
        assert heard.asked is not None
        if heard.asked.question is VoiceQuestion.SCREEN:
            return [readable(heard.show.frame.lines)]
        seat = str(heard.asked.seat) if heard.asked.seat is not None else None
        moment = moment_json(snapshot, self._games)
        reply = answer(moment, heard.asked.question, heard.asked.pips, seat)
        return [one["words"] for one in reply]

    def _speech(self, texts: list[str], language: Language) -> Iterator[Clip]:
        for number, text in enumerate(texts):
            found = self._clips_for(text, language)
            if number and found:
                yield Clip(found[0].rate, bytes(2 * int(found[0].rate * PAUSE_S)))
            yield from found

    def _clips_for(self, text: str, language: Language) -> list[Clip]:
        """The clips of a sentence, of a number, or of the text on a screen, which is spoken as a
        whole. Clips that can't be generated are left out, and reported once."""
        clips = self._clips_of(language)
        try:
            if not isinstance(text, Sentence) and not text.isdecimal():
                return [clips.speak_once(text)]
        except MissingClip as error:
            self._tell_missing(error)
        found = list[Clip]()
        for piece in pieces_of(text, language):
            try:
                found.append(clips.clip(piece))
            except MissingClip as error:
                self._tell_missing(error)
        return found

    def _tell_missing(self, error: MissingClip) -> None:
        if not self._lacks_clips:
            self._report(f"The voice lacks words: {error}. The table goes on with those it has.")
        self._lacks_clips, self._missing = True, iter(())

    def _clips_of(self, language: Language) -> Clips:
        if language.name not in self._clips:
            self._clips[language.name] = self._open_clips(language.name)
        return self._clips[language.name]
