"""The box's voice: speaks the game's news, the display's screens and answers to questions through a
sound card.

One thread speaks. Meanwhile only the newest snapshot is kept, and its news includes everything
since the previous one, so nothing queues up. The next key stops the sound. Another thread makes the
clips of the language in advance, so that making a clip never delays the news.

If a sound card fails or espeak-ng is missing, that is reported in one line. The table goes on, and
the voice uses the clips that exist. Switching the voice off and on again retries the card."""

import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Condition
from typing import Final

from companion.console.frame import BoxPicture
from companion.console.sounds import ShownPicture, readable, spoken_text
from companion.core.threads import NamedThread
from companion.core.words import Sentence
from companion.devices.voice import Clip, Clips, MissingClipError, SoundCard, VoiceError
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.presentation.spoken_pieces import all_pieces, pieces_of, pieces_of_names
from companion.presentation.voice import EVERYTHING, OFF, Voice, VoiceQuestion, answer
from companion.record.settings import VOICE
from companion.table.snapshot import Snapshot, moment_json

PAUSE_S: Final = 0.06
"""Seconds between two sentences; web/static/voice_clips.js has the same."""
CLOSED_WITHIN_S: Final = 0.5
"""How long `close` waits for each thread."""


class Speaking:
    """Speaks screens, and the news in snapshots, through the sound card `card`. `clips` returns a
    language's clips, given the language's name; `language` is spoken until the table chooses one;
    `report` is called with a line about each fault."""

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
        self._names = list[str]()
        """The players' names whose clips were made beforehand, in the language `_spoken`."""
        self._dead = False
        """Whether the sound card has failed since the voice was switched on."""
        self._lacks_clips = False
        """Whether a clip that can't be made was reported since the voice was switched on."""
        self._before: BoxPicture | None = None
        """The last screen that was spoken, or had nothing to speak."""
        self._last: Snapshot | None = None
        """The snapshot whose news were spoken last."""
        self._changed = Condition()
        """Guards the fields below, which several threads use. The table's own thread waits for it,
        too: nothing slow is done under it."""
        self._newest: Snapshot | None = None
        """The snapshot whose news are not spoken yet."""
        self._screens = list[ShownPicture]()
        """The screens shown since the last one that was spoken."""
        self._missing = deque[tuple[Clips, str]]()
        """Pieces whose clips still have to be made beforehand: names first."""
        self._stopping = False
        self._speaker = NamedThread("voice", self._speak)
        self._maker = NamedThread("clips", self._make_clips)

    def start(self) -> None:
        self._speaker.start()
        self._maker.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Passes on the table's new state, to be spoken. Returns at once."""
        with self._changed:
            self._newest = snapshot
            self._changed.notify_all()

    def hear(self, heard: ShownPicture) -> None:
        """Passes on a screen of the display, to be spoken; a key stops the sound that began before
        it. Returns at once."""
        with self._changed:
            self._screens.append(heard)
            self._changed.notify_all()
            # A stored row's snapshot comes before its screen. If that snapshot is no longer
            # waiting, the sound is about the key's own row.
            speaks_own_row = heard.kept and self._newest is None
            stops = bool(heard.keys) and not speaks_own_row
        if stops:
            self._card.close()

    def close(self) -> None:
        """Stops the voice at once; it can't be started again."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._card.close()
        for thread in (self._speaker, self._maker):
            if thread.is_alive():
                thread.join(CLOSED_WITHIN_S)

    # ------------------------------------------------------------ making clips

    def _make_clips(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._missing or self._stopping)
                if self._stopping:
                    return
                clips, piece = self._missing.popleft()
            try:
                clips.prepare(piece)
            except MissingClipError as error:
                self._report_missing(error)

    def _set_missing(self, missing: Iterable[tuple[Clips, str]]) -> None:
        with self._changed:
            self._missing = deque(missing)
            self._changed.notify_all()

    def _report_missing(self, error: MissingClipError) -> None:
        """Reports a clip that can't be made, unless another was reported before, and stops making
        clips in advance."""
        self._set_missing(())
        with self._changed:
            is_first, self._lacks_clips = not self._lacks_clips, True
        if is_first:
            self._report(f"The voice lacks words: {error}. The table goes on with those it has.")

    def _clips_of(self, language: Language) -> Clips:
        if language.name not in self._clips:
            self._clips[language.name] = self._open_clips(language.name)
        return self._clips[language.name]

    # ------------------------------------------------------------ speaking

    def _speak(self) -> None:
        while not self._stopping:
            self.speak_waiting()
            with self._changed:
                self._changed.wait_for(lambda: self._newest or self._screens or self._stopping)

    def speak_waiting(self) -> None:
        """Speaks the news and the screens that are waiting, and returns when they have been
        spoken."""
        with self._changed:
            snapshot, self._newest = self._newest, None
            screens, self._screens = self._screens, []
        try:
            if snapshot is not None:
                self._last = snapshot
                self._say_news(snapshot)
            if screens:
                self._say_screens(screens)
        except VoiceError as error:
            self._report_failure(error)
        except Exception:
            traceback.print_exc()  # a fault in the program must not end the voice

    def _report_failure(self, error: VoiceError) -> None:
        self._set_missing(())
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
        self._card.play([*self._clips_with_pauses([one["words"] for one in sentences], called)])
        names = [called.translate(one["shown"]) for one in moment["seats"]]
        if begins or language is not self._spoken or names != self._names:
            self._spoken, self._names = language, names
            clips = self._clips_of(language)
            pieces = *pieces_of_names(names, language), *all_pieces(language)
            self._set_missing((clips, one) for one in pieces if not clips.has(one))

    def _say_screens(self, screens: list[ShownPicture]) -> None:
        """Speaks the answer to a question or, if there is none, the texts of the screens since the
        last stored row. That row's news was spoken already."""
        last, before, self._before = self._last, self._before, screens[-1].show
        level = OFF if last is None else str(last.settings.get(VOICE, OFF))
        if self._dead or last is None or level == OFF:
            return
        called = with_present_names(
            table_language(last.settings, self._language), last.journal, last.known
        )
        at = max((at for at, one in enumerate(screens) if one.kept), default=0)
        before = screens[at - 1].show if at else before
        texts = list[str]()
        for one in screens[at:]:
            new = spoken_text(before, one) if level == EVERYTHING else []
            digits = [each for each in texts if each.isdecimal()]
            texts = digits + [str(called.translate(each)) for each in new]
            before = one.show
            if one.voice_request is not None:
                texts = self._answer_sentences(one, last)
        self._card.play([*self._clips_with_pauses(texts, called)])

    def _answer_sentences(self, heard: ShownPicture, snapshot: Snapshot) -> list[str]:
        assert heard.voice_request is not None
        if heard.voice_request.question is VoiceQuestion.SCREEN:
            return [readable(heard.show.frame.lines)]
        seat = str(heard.voice_request.seat) if heard.voice_request.seat is not None else None
        moment = moment_json(snapshot, self._games)
        reply = answer(moment, heard.voice_request.question, heard.voice_request.pips, seat)
        return [one["words"] for one in reply]

    def _clips_with_pauses(self, texts: list[str], language: Language) -> Iterator[Clip]:
        for number, text in enumerate(texts):
            found = self._clips_for(text, language)
            if number and found:
                yield Clip(found[0].rate, bytes(2 * int(found[0].rate * PAUSE_S)))
            yield from found

    def _clips_for(self, text: str, language: Language) -> list[Clip]:
        """Returns the clips of a sentence or a number, or the single clip of a screen's text. Clips
        that can't be made are omitted, and that is reported once."""
        clips = self._clips_of(language)
        try:
            if not isinstance(text, Sentence) and not text.isdecimal():
                return [clips.speak_once(text)]
        except MissingClipError as error:
            self._report_missing(error)
        found = list[Clip]()
        for piece in pieces_of(text, language):
            try:
                found.append(clips.clip(piece))
            except MissingClipError as error:
                self._report_missing(error)
        return found
