"""A sound card: clips are played by aplay, a program of its own, so that nobody waits for it."""

import subprocess
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from companion.core.words import phrase
from companion.devices.voice.clips import MISSING, Clip, MissingPlayer, VoiceError

PROGRAM: Final = "aplay"
NO_ANSWER: Final = phrase("it does not answer")
PATIENCE_S: Final = 5.0
"""How much longer than its clips last playing may take: a card that was pulled out can hang."""


class SoundCard:
    """The sound card that ALSA calls `device`; "default" is the one that the system has chosen.
    Only one thread may play."""

    def __init__(self, device: str = "default", program: str = PROGRAM) -> None:
        self._device, self._program = device or "default", program
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, clips: Sequence[Clip]) -> None:
        """Plays the clips one after the other, and returns when they are over. Raises
        VoiceError."""
        # Clips of one rate in a row are played together: recorded ones may have another rate.
        for rate, run in groupby(clips, lambda clip: clip.rate):
            self._play(rate, b"".join(clip.samples for clip in run))

    def close(self) -> None:
        """Stops the sound at once; any thread may call it."""
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
