"""Measures how well a speech recogniser understands the English voice in noise: `python -m
tests.voice_recognised [FOLDER]` prints the table of docs/tried.md. It needs espeak-ng and
pocketsphinx, a package with a model for English. FOLDER has clips that Piper has made.

It knows which sentences there are, as a player does. The noise falls by 3 dB an octave.
"""

import statistics
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.app.speaking import PAUSE_S
from companion.core.values import Json
from companion.devices import voice as box_voice
from companion.devices.voice import Clip, Clips, speak_with_espeak
from companion.presentation.language import ENGLISH
from companion.presentation.spoken_pieces import pieces_of
from companion.presentation.voice import EVERYTHING
from tests.voice_seconds import SEATS, said_of_entries

RATE: Final = 16_000
LOUDER_DB: Final = (30, 15, 10, 5)
"""By how much the voice is louder than the noise."""
OWN_SPEED: Final = 175, 175
"""Words a minute of espeak-ng itself, also for numbers."""
NOW: Final = box_voice.WORDS_A_MINUTE, box_voice.NUMBERS_A_MINUTE
ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS: Final = ("twenty", "thirty", "forty", "fifty")
GRAMMAR: Final = f"""#JSGF V1.0;
grammar table;
<name> = {" | ".join(str(seat).lower() for seat in SEATS)};
<half> = blank | one | two | three | four | five | six;
<tile> = double <half> | <half> <half>;
<number> = {" | ".join(ONES)} | ({" | ".join(TENS)}) [{" | ".join(ONES[1:10])}];
public <said> = <name> <tile> [<number>] [<name> pays] | <name> draws | <name> passes;
"""
Samples = Sequence[float]
Said = list[list[str]]
"""The pieces of each sentence."""


def main(folder: str = "") -> None:
    """Prints the table, as Markdown."""
    plays = said_of_entries("high-five", EVERYTHING)
    some = [_pieces(said) for _, said in plays if _is_known(said)]
    headings = ", ".join(f"{each} dB" for each in LOUDER_DB)
    print(f"| | seconds | words understood at {headings} | whole entries |\n|---|---|---|---|")
    with TemporaryDirectory() as made:
        ways: dict[str, Callable[[Said], Samples]] = {
            "whole sentences, 175 words a minute": lambda said: _whole(said, OWN_SPEED),
            "clips, 175": _of_clips(Path(made, "175"), OWN_SPEED),
            f"clips, {NOW[0]} and {NOW[1]} for numbers": _of_clips(Path(made, "now"), NOW),
        }
        if folder:
            ways["Piper's clips"] = _of_clips(Path(made, "now"), NOW, Path(folder))
        for name, way in ways.items():
            print(_row(name, [(said, way(said)) for said in some]), flush=True)


def _is_known(said: list[Json]) -> bool:
    """Whether the grammar contains the sentences."""
    keys = {one["key"] for one in said}
    return keys <= {"voice.lays", "voice.lays-count", "voice.pays", "entry.draws", "entry.passes"}


def _pieces(said: list[Json]) -> Said:
    return [pieces_of(one["words"], ENGLISH) for one in said]


# ---------------------------------------------------------------- what is said


def _of_clips(
    made: Path, speed: tuple[int, int], recorded: Path | None = None
) -> Callable[[Said], Samples]:
    clips = Clips("en", made, recorded)

    def samples(said: Said) -> Samples:
        _set_speed(speed)
        return _with_pauses([_at_rate(clips.clip(one)) for one in each] for each in said)

    return samples


def _set_speed(speed: tuple[int, int]) -> None:
    vars(box_voice).update(zip(("WORDS_A_MINUTE", "NUMBERS_A_MINUTE"), speed, strict=True))


def _whole(said: Said, speed: tuple[int, int]) -> Samples:
    _set_speed(speed)
    return _at_rate(speak_with_espeak(". ".join(" ".join(each) for each in said), "en"))


def _with_pauses(sentences: Iterator[list[Samples]]) -> Samples:
    found = list[float]()
    for number, clips in enumerate(sentences):
        found += [0.0] * int(RATE * PAUSE_S) if number else []
        for clip in clips:
            found += clip
    return found


def _at_rate(clip: Clip) -> Samples:
    samples, step = array("h", clip.samples), clip.rate / RATE
    places = (at * step for at in range(int((len(samples) - 1) / step)))
    return [samples[int(at)] * (1 - at % 1) + samples[int(at) + 1] * (at % 1) for at in places]


# ---------------------------------------------------------------- what is understood


def _row(name: str, entries: list[tuple[Said, Samples]]) -> str:
    decoder, noise = _decoder(), _noise(20 * RATE)
    seconds = statistics.mean(len(samples) / RATE for _, samples in entries)
    words, whole = list[str](), list[str]()
    for louder in LOUDER_DB:
        random, wrong, wanted, right = Random(1), 0, 0, 0
        for said, samples in entries:
            want = [word for each in said for piece in each for word in _words(piece)]
            errors = _edits(want, _heard(decoder, _mixed(samples, noise, louder, random)))
            wrong, wanted, right = wrong + errors, wanted + len(want), right + (not errors)
        words.append(f"{100 - 100 * wrong / wanted:.0f} %")
        whole.append(f"{100 * right / len(entries):.0f} %")
    return f"| {name} | {seconds:.1f} | {', '.join(words)} | {', '.join(whole)} |"


def _words(piece: str) -> list[str]:
    if not piece.isdecimal():
        return piece.lower().split()
    tens, ones = divmod(int(piece), 10)
    return [ONES[int(piece)]] if tens < 2 else [TENS[tens - 2], *([ONES[ones]] if ones else [])]


def _decoder() -> Any:
    library = import_module("pocketsphinx")
    models = Path(library.get_model_path()) / "en-us"
    words = {"hmm": str(models / "en-us"), "dict": str(models / "cmudict-en-us.dict")}
    decoder = library.Decoder(lm=None, loglevel="FATAL", **words)
    decoder.add_jsgf_string("table", GRAMMAR)
    decoder.activate_search("table")
    return decoder


def _heard(decoder: Any, samples: "array[int]") -> list[str]:
    decoder.start_utt()
    decoder.process_raw(samples.tobytes(), full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    words: list[str] = found.hypstr.split() if found else []
    return words


def _noise(length: int) -> Samples:
    """Pink noise: the sum of white noises, each of which changes half as often as the one
    before."""
    random, parts = Random(2), [0.0] * 12
    found = list[float]()
    for at in range(1, length + 1):
        parts[min((at & -at).bit_length() - 1, 11)] = random.gauss(0, 1)
        found.append(sum(parts))
    middle = statistics.mean(found)
    return [one - middle for one in found]


def _mixed(samples: Samples, noise: Samples, louder: int, random: Random) -> "array[int]":
    quiet = [0.0] * (RATE * 3 // 10)
    voice = [*quiet, *samples, *quiet]
    begin = random.randrange(len(noise) - len(voice))
    some = noise[begin : begin + len(voice)]
    power = sum(one * one for one in samples) / len(samples)
    factor = (power / 10 ** (louder / 10) / (sum(one * one for one in some) / len(some))) ** 0.5
    mixed = [one + factor * other for one, other in zip(voice, some, strict=True)]
    loudest = max(map(abs, mixed))
    return array("h", (int(one * 20_000 / loudest) for one in mixed))


def _edits(want: list[str], got: list[str]) -> int:
    """The edit distance in words: changed, missing and added ones."""
    row = [*range(len(got) + 1)]
    for number, one in enumerate(want, 1):
        above, row[0] = row[0], number
        for at, other in enumerate(got, 1):
            above, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, above + (one != other))
    edits: int = row[-1]
    return edits


if __name__ == "__main__":
    main(*sys.argv[1:])
