"""The report of long sentences: how it splits sentences, and which ones it lists."""

from pathlib import Path

from tests.words_report import habits, report, sentences

TEXT = """# A heading

One sentence here. Another
one here, *with* a [link](page.md).

| a cell | another cell of words |
|---|---|
- an item of a list
- and one more

```sh
make run  # no sentence
```
"""


def test_cells_items_and_headings_are_sentences_and_code_is_not() -> None:
    assert [(one.line, one.text, one.length) for one in sentences(TEXT) if one.length > 2] == [
        (3, "One sentence here.", 3),
        (3, "Another one here, *with* a link.", 6),
        (6, "another cell of words", 4),
        (8, "an item of a list", 5),
        (9, "and one more", 3),
    ]


def test_the_report_lists_long_sentences_and_habits_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"Short.\n\n{'word ' * 31}end.\n\nIt goes by itself, whoever asks.\n")
    long, *found, _heading, row = report([path])
    assert long.startswith(f"{path}:3: 32 words: word word")
    assert {line.split(": ")[1] for line in found} == {
        "“whoever”",
        "“by itself”",
        "“goes by itself”",
    }
    assert row.split()[:2] == ["1", "3"]
    assert not list(habits("    whoever  # code\n"))
