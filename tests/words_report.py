"""Finds sentences that could be in plainer English: `make words-report`.

Lists, for every document, the sentences of more than 30 words and the habits of translated English,
with the file and the line. It is for reading before a release, not a test: a long sentence can be
right.

    python -m tests.words_report [FILE …]     of these documents, or of all
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
LONG = 30
"""A sentence of more words is listed."""
FOLDERS = (
    *("*.md", "docs/*.md", "docs/manual/*.md"),
    *("hw/**/*.md", "firmware/*.md", "systemd/**/*.md"),
)
HABITS = {
    r"\b(?:is|are|was|were) (?:told|asked for)\b": "shown, reported; prompted",
    r"\bis said\b|\bit is said\b": "shown, reported",
    r"\bwhoever\b": "a player who, anybody who",
    r"\bwho is to move\b": "the player whose turn it is",
    r"\bdoes (?:as well|too|without|so)\b": "works too; is optional",
    r"\b(?:was|were) seen to\b": "tested: …",
    r"\bnobody has\b|\bnothing of it\b": "a plain negative",
    r"\bcousins\b|\bhouse of\b": "variants",
    r"\b(?:lies|lie) (?:beside|there|in|on)\b": "is",
    r"\b(?:stands|stand) (?:there|beside|in|on|at)\b": "is",
    r"\bmended?\b": "fixed, corrected",
    r"\bby itself\b": "automatically, on its own",
    r"\bmeanwhile\b": "at the same time",
    r"\blays?\b": "plays",
    r"\bhas to be let in\b|\bis let in\b": "connects, has access",
    r"\bgoes by itself\b": "disappears",
}
"""Habits of translated English, each with what could stand in its place."""
SKIPPED = re.compile(r"^(?:```.*?^```|    .*?$|<!--.*?-->)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
END = re.compile(r"(?<=[.!?:])[*_)”]*\s+(?=[*_`(“\[]*[A-Z0-9`])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the line of its document in which its paragraph begins."""

    line: int
    text: str

    @property
    def length(self) -> int:
        """The number of its words."""
        return len(re.findall(r"[\w’'`/.-]*\w[\w’'`/.-]*", self.text))


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a document in Markdown, without code; a cell of a table, a heading and an
    item of a list begin anew."""
    plain = SKIPPED.sub(lambda found: "\n" * found[0].count("\n"), text)
    number, began, paragraph = 0, 1, list[str]()
    for number, line in enumerate([*plain.splitlines(), ""], start=1):
        if not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.) ?", line):
            yield from _split(began, " ".join(paragraph))
            paragraph, began = [], number if line.strip() else number + 1
        if line.startswith("|"):
            for cell in line.strip("|").split(" | "):
                yield from _split(number, cell)
        elif line.strip():
            paragraph.append(re.sub(r"^\s*(?:[-*#]+|\d+\.) ", "", line).strip())


def _split(line: int, text: str) -> Iterator[Sentence]:
    for part in END.split(LINK.sub(r"\1", text)):
        if part.strip():
            yield Sentence(line, part.strip())


def habits(text: str) -> Iterator[tuple[int, str, str]]:
    """Each wordy habit in a document, as (line, words, possible replacement)."""
    plain = SKIPPED.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(plain.splitlines(), start=1):
        for pattern, better in HABITS.items():
            for found in re.finditer(pattern, line, re.IGNORECASE):
                yield number, found[0], better


def documents() -> list[Path]:
    """All documents in English, without the changes of earlier versions."""
    return sorted({path for pattern in FOLDERS for path in ROOT.glob(pattern)})


def report(paths: list[Path]) -> Iterator[str]:
    """The lines of the report, and a table of the documents at its end."""
    rows = []
    for path in paths:
        text = path.read_text("utf-8")
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        all_of_it = [one for one in sentences(text) if one.length > 2]
        long = [one for one in all_of_it if one.length > LONG]
        found = [*habits(text)]
        for one in long:
            yield f"{name}:{one.line}: {one.length} words: {one.text}"
        for line, words, better in found:
            yield f"{name}:{line}: “{words}”: {better}"
        middle = median(one.length for one in all_of_it) if all_of_it else 0
        rows.append((len(long), len(found), middle, len(text.split()), name))
    yield f"\n{'long':>5} {'habits':>6} {'median':>6} {'words':>6}"
    for row in sorted(rows, key=lambda row: -row[0]):
        yield "{:>5} {:>6} {:>6.0f} {:>6} {}".format(*row)


if __name__ == "__main__":
    print(*report([Path(name).resolve() for name in sys.argv[1:]] or documents()), sep="\n")
