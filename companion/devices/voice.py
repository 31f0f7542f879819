"""Speech for the box: clips, short pieces recorded or made by espeak-ng, and the sound card that
plays them.

Recorded clips, or those made with Piper (`companion voice list`), go before those that espeak-ng
makes. A clip that is missing is made when it is first
needed, and kept while there is room. Once somebody wants to hear a language, its clips are made
beforehand (app/speaking.py, web/voice.py).
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
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.core.errors import ReportedError
from companion.core.regular_file import read_bytes
from companion.core.words import mark, phrase

VOICES: Final = {"en": "en", "es": "es", "nl": "nl", "de": "de", "fr": "fr-fr", "pt-BR": "pt-br"}
"""What espeak-ng calls the voice of each language."""
PROGRAM: Final = "espeak-ng"
GENTLY: Final = ("nice", "-n", "19")
WORDS_A_MINUTE: Final = 220
"""espeak-ng's own 175 take too long between two turns: docs/tried.md."""
MAKE_WITHIN_S: Final = 5
MOST_KEPT: Final = 6_000_000
"""The most bytes of generated clips that are kept for a language; clips beyond that are generated
each time that they are needed."""
SILENCE: Final = 200
"""A sample of at most this size, of 32767, is silence."""
MARGIN_S: Final = 0.02
LONGEST: Final = 60
"""Characters of a clip's name, without its ending."""
MISSING: Final = mark("{program} is missing: {command}")
"""The message about a program that isn't installed."""
NO_ANSWER: Final = phrase("it does not answer")


class VoiceError(ReportedError):
    """No voice can be had."""


class MissingPlayer(VoiceError):
    """The program that plays sound is not installed."""


class MissingClip(VoiceError):
    """There is no clip of some words, and none can be made."""


def file_of(piece: str) -> str:
    """The file name of the piece's clip: its letters and digits in lower case, with `_` between the
    words."""
    small = re.sub(r"[^\w-]+", "_", piece.casefold()).strip("_")
    return f"{small[:LONGEST]}.wav"


@dataclass(frozen=True, slots=True)
class Clip:
    """Speech in one channel of 16 bits: the samples a second (`rate`), and the samples, least byte
    first."""

    rate: int
    samples: bytes

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / 2 / self.rate


class Clips:
    """The clips of a language. `made`: the folder for the clips of all languages that espeak-ng
    (`program`) makes; `recorded`: a folder of clips that people have recorded, if there is one."""

    def __init__(
        self, language: str, made: Path, recorded: Path | None = None, program: str = PROGRAM
    ) -> None:
        self._language, self._program = language, program
        self._made = made / language
        self._recorded = recorded / language if recorded else None
        self._known: dict[str, Clip] = {}

    def clip(self, piece: str) -> Clip:
        """The clip of a piece; it is generated if there is none yet. Raises MissingClip."""
        name = file_of(piece)
        if name not in self._known:
            self._known[name] = self._found(name) or self._make(piece, name)
        return self._known[name]

    def speak_once(self, text: str) -> Clip:
        """A clip of words that will hardly be said again; it is not kept. Raises MissingClip."""
        return spoken(text, self._language, self._program)

    def prepare(self, piece: str) -> None:
        """Makes the clip of a piece for later, and keeps it, if there is none yet; all else on this
        machine has priority. Raises MissingClip."""
        if not self.has(piece):
            self._make(piece, file_of(piece), gently=True)

    def file(self, piece: str) -> bytes:
        """The clip of a piece as a WAV file, made if there is none yet; it is not kept in memory.
        Raises MissingClip."""
        name = file_of(piece)
        return wav_bytes(self._found(name) or self._make(piece, name))

    @property
    def speaks(self) -> bool:
        """Whether there are clips of the language, or espeak-ng can make them."""
        folders = filter(None, (self._recorded, self._made))
        there = any(one.suffix == ".wav" for folder in folders for one in _files(folder))
        return there or shutil.which(self._program) is not None

    def has(self, piece: str) -> bool:
        """Whether there is a clip of the piece already."""
        name = file_of(piece)
        return any(folder and (folder / name).exists() for folder in (self._recorded, self._made))

    def _found(self, name: str) -> Clip | None:
        for folder in filter(None, (self._recorded, self._made)):
            with suppress(OSError, ValueError, EOFError, wave.Error):
                return read_clip(read_bytes(folder / name))
        return None

    def _make(self, piece: str, name: str, *, gently: bool = False) -> Clip:
        clip = spoken(piece, self._language, self._program, gently=gently)
        with suppress(OSError):  # what can't be kept is made again
            self._made.mkdir(parents=True, exist_ok=True)
            data = wav_bytes(clip)
            if sum(one.stat().st_size for one in self._made.iterdir()) + len(data) <= MOST_KEPT:
                part = self._made / f"{name}.part"
                part.write_bytes(data)
                part.replace(self._made / name)
        return clip


def _files(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()


def spoken(text: str, language: str, program: str = PROGRAM, *, gently: bool = False) -> Clip:
    """The text as espeak-ng says it, without the silence around it; `gently`: only while the
    processor has nothing else to do. Raises MissingClip."""
    voice = VOICES.get(language, language)
    if shutil.which(program) is None:
        raise MissingClip(MISSING, program=program, command="sudo apt install espeak-ng")
    try:
        found = subprocess.run(
            (*(GENTLY if gently else ()), program, "-v", voice, "-s", str(WORDS_A_MINUTE),
             "-b", "1", "--stdin", "--stdout"),
            input=text.encode(), capture_output=True, timeout=MAKE_WITHIN_S, check=True,
        )  # fmt: skip
        with wave.open(BytesIO(found.stdout)) as file:
            rate, samples = file.getframerate(), array("h", file.readframes(1 << 24))
    except (OSError, subprocess.SubprocessError, wave.Error, EOFError, ValueError) as error:
        parts = {"program": program, "text": text, "language": language, "why": error}
        raise MissingClip("{program} can't say “{text}” in {language} ({why})", **parts) from error
    return Clip(rate // 2, _halved(_without_silence(samples, int(rate * MARGIN_S))).tobytes())


def _without_silence(samples: "array[int]", margin: int) -> "array[int]":
    loud = [at for at, sample in enumerate(samples) if abs(sample) > SILENCE]
    return samples[max(loud[0] - margin, 0) : loud[-1] + margin] if loud else samples[:0]


def _halved(samples: "array[int]") -> "array[int]":
    """Half as many samples a second: speech is understood just as well, in half the room."""
    pairs = zip(samples[::2], samples[1::2], strict=False)
    return array("h", ((one + other) // 2 for one, other in pairs))


def wav_bytes(clip: Clip) -> bytes:
    """The clip as a WAV file."""
    file = BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(clip.rate)
        made.writeframes(clip.samples)
    return file.getvalue()


def read_clip(data: bytes) -> Clip:
    """The clip in a WAV file. Raises ValueError if it isn't one channel of 16 bits, and wave.Error
    or EOFError if the data is no WAV file."""
    with wave.open(BytesIO(data)) as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise ValueError("a clip has one channel of 16 bits")
        return Clip(file.getframerate(), file.readframes(file.getnframes()))


# ---------------------------------------------------------------- Piper

PIPER: Final = "piper"
LENGTH_SCALE: Final = "0.8"
"""How long Piper's sounds last, compared with those that its voice was trained with."""


def piper_command() -> tuple[str, ...] | None:
    """The command that starts Piper: its program, or the module that is installed beside this one;
    None without either."""
    if shutil.which(PIPER) is not None:
        return (PIPER,)
    return (sys.executable, "-m", PIPER) if importlib.util.find_spec(PIPER) else None


def piper_clips(texts: Sequence[str], voice: Path) -> list[Clip]:
    """The clips of the texts as Piper says them with a voice, a file that ends in .onnx; without
    the silence around them. Raises MissingClip."""
    command = piper_command()
    if command is None:
        raise MissingClip(MISSING, program=PIPER, command="pip install piper-tts")
    with TemporaryDirectory() as folder:
        # It loads the voice once, and names each line's file after the time.
        words = (*command, "-m", str(voice), "-d", folder, "--length_scale", LENGTH_SCALE)
        lines = "".join(f"{text}\n" for text in texts).encode()
        try:
            subprocess.run(words, input=lines, capture_output=True, check=True)
            files = sorted(Path(folder).glob("*.wav"), key=lambda file: (len(file.name), file.name))
            found = [_trimmed(read_clip(read_bytes(file))) for file in files]
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").strip().splitlines() or [NO_ANSWER]
            raise MissingClip("{program} fails ({why})", program=PIPER, why=said[-1]) from error
        except (OSError, ValueError, EOFError, wave.Error) as error:
            raise MissingClip("{program} fails ({why})", program=PIPER, why=error) from error
    if len(found) != len(texts):
        why = f"{len(texts)} lines, {len(found)} clips"
        raise MissingClip("{program} fails ({why})", program=PIPER, why=why)
    return found


def _trimmed(clip: Clip) -> Clip:
    samples = array("h", clip.samples)
    return Clip(clip.rate, _without_silence(samples, int(clip.rate * MARGIN_S)).tobytes())


# ---------------------------------------------------------------- sound card

PLAYER: Final = "aplay"
PATIENCE_S: Final = 5.0
"""How much longer than its clips last playing may take: a card that was pulled out can hang."""


class SoundCard:
    """The sound card that ALSA calls `device`; "default" is the one that the system has chosen.
    Only one thread may play."""

    def __init__(self, device: str = "default", program: str = PLAYER) -> None:
        self._device, self._program = device or "default", program
        self._playing: subprocess.Popen[bytes] | None = None
        self._stopped = False
        """Whether `close` has stopped what was being played."""

    def play(self, clips: Sequence[Clip]) -> None:
        """Plays the clips one after the other, and returns when they are over or stopped. Raises
        VoiceError."""
        self._stopped = False
        # Clips of one rate in a row are played together: recorded ones may have another rate.
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
                _, wrong = self._played(playing, samples, len(samples) / 2 / rate + PATIENCE_S)
        except FileNotFoundError as error:
            command = "sudo apt install alsa-utils"
            raise MissingPlayer(MISSING, program=self._program, command=command) from error
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
