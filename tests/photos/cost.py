"""Measures what reading photos of 12 megapixels takes in Chromium:
`python -m tests.photos.cost FOLDER [--slower 4] [--many N]`.

Each photo of the folder, enlarged to 4000x3000, is read as a phone does it, in the worker: seconds
of the renderer's processor time, and the renderer's largest resident memory, in MB, which includes
Chromium's own. Then it is read in a page that Chromium slows down that many times, as a stand-in
for a slow phone: DevTools slow down no worker, so it runs in the page itself, and its time is that
of a clock, which other programs lengthen."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from tests.browser import chromium
from tests.photos.in_browser import PATIENCE_MS, reader_in

LARGE: Final = (4000, 3000)
MB: Final = 1024
"""Of the kB in which /proc counts."""
INPUT: Final = """() => {
  document.body.append(Object.assign(document.createElement("input"), { type: "file" }));
}"""
READ: Final = """async (patience) => {
  const { toldOf } = await import("/photo/reading.js");
  return toldOf(document.querySelector("input").files[0], patience);
}"""
SLOWED: Final = """async () => {
  const { pixelsOf } = await import("/photo/reading.js");
  const { read } = await import("/photo/read.js");
  const from = performance.now(), [file] = document.querySelector("input").files;
  const { canvas } = await pixelsOf(file), { width, height } = canvas;
  read(canvas.getContext("2d").getImageData(0, 0, width, height));
  return performance.now() - from;
}"""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of reading one photo."""

    photo: str
    processor_s: float
    memory_mb: int
    more_mb: int
    """By how much the memory grew."""
    slowed_s: float


class Renderer:
    """The browser process that runs the page."""

    def __init__(self, browser: Any) -> None:
        self._devtools = browser.new_browser_cdp_session()

    def _processes(self) -> list[dict[str, Any]]:
        found = self._devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        return [one for one in found if one["type"] == "renderer"]

    def processor_s(self) -> float:
        """Seconds of processor time so far."""
        return sum(float(one["cpuTime"]) for one in self._processes())

    def memory_mb(self, name: str) -> int:
        """“VmRSS”, or “VmHWM” for the largest since `forget`."""
        kept = []
        for one in self._processes():
            text = Path(f"/proc/{one['id']}/status").read_text("ascii")
            rows = dict(line.split(":", 1) for line in text.splitlines())
            kept.append(int(rows[name].split()[0]) // MB)
        return max(kept)

    def forget(self) -> None:
        """Makes the kernel start a new measurement of the largest memory."""
        for one in self._processes():
            Path(f"/proc/{one['id']}/clear_refs").write_text("5", "ascii")


def costs(photos: list[Path], slower: float) -> Iterator[Cost]:
    """Yields the cost of each photo, each read in a new browser."""
    for photo in photos:
        with Image.open(photo) as opened:
            large = opened.convert("RGB").resize(LARGE, Image.Resampling.BICUBIC)
        with TemporaryDirectory() as folder, chromium() as browser, reader_in(browser) as reader:
            file = Path(folder) / photo.name
            large.save(file, quality=90)
            reader.tab.evaluate(INPUT)
            reader.tab.set_input_files("input", file)
            renderer = Renderer(browser)
            before, used = renderer.memory_mb("VmRSS"), renderer.processor_s()
            renderer.forget()
            reader.tab.evaluate(READ, PATIENCE_MS)
            memory, used = renderer.memory_mb("VmHWM"), renderer.processor_s() - used
            devtools = reader.tab.context.new_cdp_session(reader.tab)
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            slowed = reader.tab.evaluate(SLOWED) / 1000
        yield Cost(photo.stem, used, memory, memory - before, slowed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slower", type=float, default=4.0, help="how many times slower")
    parser.add_argument("--many", type=int, help="the first so many photos alone")
    asked = parser.parse_args()
    found = []
    print(f"{'':28}{'processor s':>12}{'MB':>6}{'more':>6}{f'slowed {asked.slower:g}x, s':>16}")
    for one in costs(sorted(asked.folder.glob("*.jpg"))[: asked.many], asked.slower):
        found.append(one)
        print(
            f"{one.photo:28}{one.processor_s:12.2f}{one.memory_mb:6}{one.more_mb:6}"
            f"{one.slowed_s:16.1f}",
            flush=True,
        )
    most = [max(one.processor_s for one in found), max(one.slowed_s for one in found)]
    memory = max(one.memory_mb for one in found), max(one.more_mb for one in found)
    print(f"{'most':28}{most[0]:12.2f}{memory[0]:6}{memory[1]:6}{most[1]:16.1f}")


if __name__ == "__main__":
    main()
