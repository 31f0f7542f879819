"""Compares this program's speed with that of earlier commits: `python -m tests.bench_beside COMMIT
…`.

Each commit's own tree runs its own tests/fake_board.py and replays its own random games, with the
libraries of this environment. All take turns, so whatever slows the machine slows all of them;
figures are processor time."""

import os
import statistics
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
HERE = "here"
RUNS, REPLAYS = 12, 3
FIRST = "first picture"
"""What tests/fake_board.py prints, followed by processor seconds."""
REPLAY = """
import time
from random import Random
from tests.playing import table
from tests.random_games import play_game
games = [[entry for entry, _ in play_game(Random(seed))] for seed in range(300)]
start = time.process_time()
for entries in games:
    table().replay(entries)
print("replayed", time.process_time() - start, flush=True)
"""


def unpacked(commit: str, folder: Path) -> Path:
    """Unpacks a commit into a folder of its own; returns that."""
    archive = ("git", "archive", "--format=tar", commit)
    sent = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(sent)) as files:
        files.extractall(folder / commit, filter="tar")
    return folder / commit


def measured(tree: Path, words: tuple[str, ...], line: str, compiled: Path) -> float:
    """Runs Python with these arguments in a tree until a line of its output begins with `line`;
    returns the last number on that line. `compiled`: the folder for compiled modules."""
    libraries = os.pathsep.join(path for path in sys.path if "packages" in path)
    keeps_compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(compiled)}
    with subprocess.Popen(
        [sys.executable, "-S", "-W", "ignore", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tree,
        env={**os.environ, **keeps_compiled, "PYTHONPATH": libraries},
        text=True,
    ) as process:
        assert process.stdout
        found = next((one for one in process.stdout if one.startswith(line)), None)
        process.terminate()
        process.communicate()
    assert found, f"{tree} printed no “{line}”"
    return float(found.split()[-1])


def beside(trees: dict[str, Path], words: tuple[str, ...], line: str, runs: int) -> None:
    """Prints the time of each tree, which take turns, and its ratio to this tree's."""
    took: dict[str, list[float]] = {name: [] for name in trees}
    with TemporaryDirectory() as place:
        for run in range(runs + 1):  # the first one compiles
            for name, tree in trees.items():
                own = tuple(word.format(record=Path(place, f"{name}.db")) for word in words)
                seconds = measured(tree, own, line, Path(place, "compiled"))
                if run:
                    took[name].append(seconds)
    middle = {name: statistics.median(each) for name, each in took.items()}
    for name, seconds in middle.items():
        print(f"  {name:<12} {seconds * 1e3:8.0f} ms   {middle[HERE] / seconds:.2f}", flush=True)


def main(commits: list[str]) -> None:
    """Prints the figures of this tree and of those commits."""
    with TemporaryDirectory() as place:
        trees = {HERE: ROOT} | {commit: unpacked(commit, Path(place)) for commit in commits}
        print(f"start to the first picture, median of {RUNS}:")
        beside(trees, ("-m", "tests.fake_board", "{record}"), FIRST, RUNS)
        print(f"300 games replayed, median of {REPLAYS}:")
        beside(trees, ("-c", REPLAY), "replayed", REPLAYS)


if __name__ == "__main__":
    main(sys.argv[1:])
