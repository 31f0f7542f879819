"""The box's speech: clips of short pieces, and the sound card that plays them.

A clip that somebody recorded, or made with Piper (`companion voice list`), is preferred to one that
espeak-ng makes. espeak-ng makes a clip when it is first needed, and the file is kept while there is
room. Once a language is spoken, its clips are made beforehand (app/speaking.py, web/voice.py).
"""

import importlib.util
import re
import shutil
import subprocess
import sys
import wave
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.core.errors import ReportedError
from companion.core.regular_file import read_bytes
from companion.core.values import dataclass
from companion.core.words import mark, phrase

VOICES: Final = {"en": "en", "es": "es", "nl": "nl", "de": "de", "fr": "fr-fr", "pt-BR": "pt-br"}
"""espeak-ng's name for the voice of each language."""
PROGRAM: Final = "espeak-ng"
LOWEST_PRIORITY: Final = ("nice", "-n", "19")
WORDS_A_MINUTE: Final = 240
"""espeak-ng's own 175 take too long between two turns: docs/tried.md."""
NUMBERS_A_MINUTE: Final = 300
"""The speed of numbers with two or more digits. Their words are long, and are understood at a
higher speed than short ones: docs/tried.md."""
SPEEDS: Final = f"speed-{WORDS_A_MINUTE}-{NUMBERS_A_MINUTE}"
"""The folder for the clips of these speeds."""
MAKE_WITHIN_S: Final = 5
"""How long espeak-ng may take for a clip."""
MAX_KEPT_BYTES: Final = 6_000_000
"""The most bytes of generated clips that are kept for a language; clips beyond that are generated
each time that they are needed."""
SILENCE: Final = 200
"""A sample whose absolute value is at most this, out of 32767, counts as silence."""
MARGIN_S: Final = 0.01
"""The silence that is kept before and after a clip's sound."""
LONGEST: Final = 60
"""The most characters of a clip's file name, without its ending."""
MISSING: Final = mark("{program} is missing: {command}")
"""The message about a program that isn't installed."""
NO_ANSWER: Final = phrase("it does not answer")
"""The reason for a fault of a program that printed none."""


class VoiceError(ReportedError):
    """The voice can't be made or played."""


class MissingPlayerError(VoiceError):
    """The program that plays sound is not installed."""


class MissingClipError(VoiceError):
    """There is no clip of some words, and none can be made."""


def file_of(piece: str) -> str:
    """Returns the file name of the piece's clip: its letters and digits in lower case, with `_`
    between the words. People record clips under these names, so they must not change."""
    small = re.sub(r"[^\w-]+", "_", piece.casefold()).strip("_")
    return f"{small[:LONGEST]}.wav"


@dataclass(frozen=True, slots=True)
class Clip:
    """Sound in one channel. `rate`: samples a second; `samples`: signed numbers of 16 bits, lower
    byte first."""

    rate: int
    samples: bytes

    @property
    def seconds(self) -> float:
        return len(self.samples) / 2 / self.rate


class Clips:
    """The clips of a language. `made`: the folder for clips that espeak-ng (`program`) makes;
    `recorded`: the folder of recorded clips, if there is one. Both have a folder for each
    language."""

    def __init__(
        self, language: str, made: Path, recorded: Path | None = None, program: str = PROGRAM
    ) -> None:
        self._language, self._program = language, program
        self._made = made / language
        self._recorded = recorded / language if recorded else None
        self._known: dict[str, Clip] = {}

    def clip(self, piece: str) -> Clip:
        """Returns the clip of a piece, and makes it if there is none yet. Raises
        MissingClipError."""
        name = file_of(piece)
        if name not in self._known:
            self._known[name] = self._find_clip(name) or self._make_clip(piece, name)
        return self._known[name]

    def speak_once(self, text: str) -> Clip:
        """Returns a clip of words that will hardly be needed again; it is not kept. Raises
        MissingClipError."""
        return speak_with_espeak(text, self._language, self._program)

    def prepare(self, piece: str) -> None:
        """Makes and keeps the clip of a piece if there is none yet, at the lowest priority. Raises
        MissingClipError."""
        if not self.has(piece):
            self._make_clip(piece, file_of(piece), low_priority=True)

    def file(self, piece: str) -> bytes:
        """Returns the clip of a piece as a WAV file, made if there is none yet; unlike `clip` it
        keeps nothing in memory. Raises MissingClipError."""
        name = file_of(piece)
        return wav_bytes(self._find_clip(name) or self._make_clip(piece, name))

    @property
    def speaks(self) -> bool:
        """Whether there are clips of the language, or espeak-ng can make them."""
        folders = filter(None, (self._recorded, self._made))
        has_some = any(one.suffix == ".wav" for folder in folders for one in _files(folder))
        return has_some or shutil.which(self._program) is not None

    def has(self, piece: str) -> bool:
        """Whether there is a clip of the piece already."""
        name = file_of(piece)
        return any(folder and (folder / name).exists() for folder in (self._recorded, self._made))

    def _find_clip(self, name: str) -> Clip | None:
        for folder in filter(None, (self._recorded, self._made)):
            with suppress(OSError, ValueError, EOFError, wave.Error):
                return read_clip(read_bytes(folder / name))
        return None

    def _make_clip(self, piece: str, name: str, *, low_priority: bool = False) -> Clip:
        clip = speak_with_espeak(piece, self._language, self._program, low_priority=low_priority)
        with suppress(OSError):  # a clip that can't be kept is made again
            self._made.mkdir(parents=True, exist_ok=True)
            data = wav_bytes(clip)
            if (
                sum(one.stat().st_size for one in self._made.iterdir()) + len(data)
                <= MAX_KEPT_BYTES
            ):
                part = self._made / f"{name}.part"
                part.write_bytes(data)
                part.replace(self._made / name)
        return clip


def _files(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()


def speak_with_espeak(
    text: str, language: str, program: str = PROGRAM, *, low_priority: bool = False
) -> Clip:
    """Returns the text as espeak-ng speaks it, without the silence around it. `low_priority`: every
    other program goes first. Raises MissingClipError."""
    voice = VOICES.get(language, language)
    is_long_number = text.isdecimal() and len(text) > 1
    speed = NUMBERS_A_MINUTE if is_long_number else WORDS_A_MINUTE
    if shutil.which(program) is None:
        raise MissingClipError(MISSING, program=program, command="sudo apt install espeak-ng")
    try:
        found = subprocess.run(
            (*(LOWEST_PRIORITY if low_priority else ()), program, "-v", voice, "-s", str(speed),
             "-b", "1", "--stdin", "--stdout"),
            input=text.encode(), capture_output=True, timeout=MAKE_WITHIN_S, check=True,
        )  # fmt: skip
        with wave.open(BytesIO(found.stdout)) as file:
            rate, samples = file.getframerate(), array("h", file.readframes(1 << 24))
    except (OSError, subprocess.SubprocessError, wave.Error, EOFError, ValueError) as error:
        parts = {"program": program, "text": text, "language": language, "why": error}
        raise MissingClipError(
            "{program} can't say “{text}” in {language} ({why})", **parts
        ) from error
    return Clip(rate // 2, _halve_rate(_without_silence(samples, int(rate * MARGIN_S))).tobytes())


def _without_silence(samples: "array[int]", margin: int) -> "array[int]":
    loud = [at for at, sample in enumerate(samples) if abs(sample) > SILENCE]
    return samples[max(loud[0] - margin, 0) : loud[-1] + margin] if loud else samples[:0]


def _halve_rate(samples: "array[int]") -> "array[int]":
    """Returns half as many samples a second: speech is understood just as well, at half the
    size."""
    pairs = zip(samples[::2], samples[1::2], strict=False)
    return array("h", ((one + other) // 2 for one, other in pairs))


def wav_bytes(clip: Clip) -> bytes:
    """Returns the clip as a WAV file."""
    file = BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(clip.rate)
        made.writeframes(clip.samples)
    return file.getvalue()


def read_clip(data: bytes) -> Clip:
    """Returns the clip of a WAV file. Raises ValueError if it isn't one channel of 16 bits, and
    wave.Error or EOFError if the data isn't a WAV file."""
    with wave.open(BytesIO(data)) as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise ValueError("a clip has one channel of 16 bits")
        return Clip(file.getframerate(), file.readframes(file.getnframes()))


# ---------------------------------------------------------------- Piper

PIPER: Final = "piper"
LENGTH_SCALE: Final = "0.8"
"""How long Piper's sounds last: below 1 it speaks faster than its voice was trained to."""


def piper_command() -> tuple[str, ...] | None:
    """Returns the command that starts Piper: its program, or its module in this Python; None if
    neither is installed."""
    if shutil.which(PIPER) is not None:
        return (PIPER,)
    return (sys.executable, "-m", PIPER) if importlib.util.find_spec(PIPER) else None


def piper_clips(texts: Sequence[str], voice: Path) -> list[Clip]:
    """Returns the clips of the texts as Piper speaks them, without the silence around them.
    `voice`: a file that ends in .onnx. Raises MissingClipError."""
    command = piper_command()
    if command is None:
        raise MissingClipError(MISSING, program=PIPER, command="pip install piper-tts")
    with TemporaryDirectory() as folder:
        # It loads the voice once for all lines, and names each line's file after the time.
        words = (*command, "-m", str(voice), "-d", folder, "--length_scale", LENGTH_SCALE)
        lines = "".join(f"{text}\n" for text in texts).encode()
        try:
            subprocess.run(words, input=lines, capture_output=True, check=True)
            files = sorted(Path(folder).glob("*.wav"), key=lambda file: (len(file.name), file.name))
            found = [_trim_silence(read_clip(read_bytes(file))) for file in files]
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").strip().splitlines() or [NO_ANSWER]
            raise MissingClipError(
                "{program} fails ({why})", program=PIPER, why=said[-1]
            ) from error
        except (OSError, ValueError, EOFError, wave.Error) as error:
            raise MissingClipError("{program} fails ({why})", program=PIPER, why=error) from error
    if len(found) != len(texts):
        why = f"{len(texts)} lines, {len(found)} clips"
        raise MissingClipError("{program} fails ({why})", program=PIPER, why=why)
    return found


def _trim_silence(clip: Clip) -> Clip:
    samples = array("h", clip.samples)
    return Clip(clip.rate, _without_silence(samples, int(clip.rate * MARGIN_S)).tobytes())


# ---------------------------------------------------------------- sound card

PLAYER: Final = "aplay"
LATE_S: Final = 5.0
"""Seconds that the player may take beyond the length of its clips, because an unplugged card can
hang."""


class SoundCard:
    """A sound card, by its name in ALSA (`device`); "default" is the system's choice. Only one
    thread may play."""

    def __init__(self, device: str = "default", program: str = PLAYER) -> None:
        self._device, self._program = device or "default", program
        self._playing: subprocess.Popen[bytes] | None = None
        self._stopped = False
        """Whether `close` has stopped what was being played."""

    def play(self, clips: Sequence[Clip]) -> None:
        """Plays the clips without a gap, and returns when they are over or stopped. Raises
        VoiceError."""
        self._stopped = False
        # The player takes one rate at a time, and recorded clips may have a rate of their own.
        for rate, run in groupby(clips, lambda clip: clip.rate):
            if not self._stopped:
                self._play(rate, b"".join(clip.samples for clip in run))

    def close(self) -> None:
        """Stops the sound at once; any thread may call it."""
        self._stopped = True
        if (playing := self._playing) is not None:
            playing.kill()

    def _play(self, rate: int, samples: bytes) -> None:
        words = (
            self._program, "-q", "-D", self._device, "-t", "raw", "-f", "S16_LE", "-c", "1",
            "-r", str(rate),
        )  # fmt: skip
        try:
            with subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            ) as playing:
                self._playing = playing
                if self._stopped:
                    playing.kill()
                _, wrong = self._played(playing, samples, len(samples) / 2 / rate + LATE_S)
        except FileNotFoundError as error:
            command = "sudo apt install alsa-utils"
            raise MissingPlayerError(MISSING, program=self._program, command=command) from error
        except OSError as error:
            raise VoiceError(
                "{program} can't be started ({why})", program=self._program, why=error
            ) from error
        finally:
            self._playing = None
        if playing.returncode > 0:
            lines = wrong.decode(errors="replace").strip().splitlines() or [NO_ANSWER]
            raise VoiceError(
                "the sound card “{card}” plays nothing ({why})",
                card=self._device,
                why=lines[-1].strip(),
            )

    def _played(
        self, playing: "subprocess.Popen[bytes]", samples: bytes, within_s: float
    ) -> tuple[bytes, bytes]:
        try:
            return playing.communicate(samples, within_s)
        except subprocess.TimeoutExpired as error:
            playing.kill()
            raise VoiceError(
                "the sound card “{card}” does not answer", card=self._device
            ) from error
