"""The manual in other languages: what it quotes can be read on a display in its language, it
presses the same keys and shows the same pictures as the English one, and it has the same parts,
tables and numbers. A text whose English one has changed since isn't compared: its page says so
until somebody has done it (translated.py)."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.catalogues import LOCALE, read, translated
from tests.manual import translated as translations
from tests.manual.book import (
    CHAPTERS,
    ENGLISH,
    LANGUAGES,
    chapters_in,
    marked,
    path_in,
    prose,
    quoted,
    sequences_in,
)
from tests.manual.card import LESSON, TITLES, text_in
from tests.manual.help import WORDS, anchor_of, chapter
from tests.manual.playing import played
from tests.manual.reading import reads
from tests.manual.test_lesson import PAGE
from tests.manual.translated import MANUAL, is_stale, pages_in, sign
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made

TEXTS = [
    *((each, name) for each in LANGUAGES for name in chapters_in(each)),
    *((each, name) for each in LANGUAGES for name in TITLES if name not in chapters_in(each)),
]
"""The language and the name of each chapter, and of each card whose chapter isn't translated."""
FRESH = [(each, name) for each in LANGUAGES for name in pages_in(each) if not is_stale(each, name)]
"""The chapters and first pages that translate the present English text."""
each_fresh = pytest.mark.parametrize("language, name", FRESH)


def text_of(language: str, name: str) -> str:
    """The text of a chapter, or of a card whose chapter isn't translated."""
    return chapters_in(language).get(name) or text_in(language, name)


@pytest.mark.parametrize("language, name", TEXTS)
def test_the_display_shows_the_quoted_texts_after_the_keys(language: str, name: str) -> None:
    sequences = sequences_in(f"{language}/{name}", text_of(language, name), language)
    for sequence, seen in list(played(sequences, translated(language))):
        assert any(step.shows for step, _ in seen), f"{sequence.place} quotes nothing"
        for step, frame in seen:
            at, picture = f"{sequence.place}, {step.keys}", "\n".join(frame.rows())
            for text in step.shows:
                assert reads(frame, text), f"{at}: no display with “{text}”:\n{picture}"
            for text in step.hides:
                assert not reads(frame, text), f"{at}: a display with “{text}”:\n{picture}"


def english(name: str) -> str:
    """The English text of that card or of the lesson."""
    return PAGE if name == LESSON else "\n".join(marked(f"card {name}"))


CODE = re.compile(r"`([^`\n]+)`")
PICTURES = re.compile(r"(?:pictures|drawings|phone)/(?:[\w-]+/)?(\w+)\.")
PIECES = re.compile(r"\d+-\d+|\b\d+(?: [+×] \d+)* = \d+")
"""Tiles and sums in a text."""

each_text = pytest.mark.parametrize(
    "language, name", [(each, name) for each in LANGUAGES for name in (*TITLES, LESSON)]
)


def keys_of(text: str) -> list[tuple[str, list[str]]]:
    """For each sequence of keys its start, and its keys."""
    return [(one.start, [step.keys for step in one.steps]) for one in sequences_in("", text)]


@each_text
def test_a_card_has_the_keys_pictures_tiles_and_sums_of_the_english_one(
    language: str, name: str
) -> None:
    text, same = text_in(language, name), english(name)
    assert keys_of(text) == keys_of(same)
    assert Counter(CODE.findall(text)) == Counter(CODE.findall(same))
    assert PICTURES.findall(text) == PICTURES.findall(same)
    assert set(PIECES.findall(text)) == set(PIECES.findall(same))


# ---------------------------------------------------------------- chapters


def source_of(language: str, name: str) -> str:
    """The English text that a translated chapter should have. A game's chapter also has what the
    game's card takes from chapters that aren't translated."""
    text = path_in(ENGLISH, name).read_text("utf-8")
    for other in CHAPTERS.keys() - chapters_in(language).keys():
        text += "".join(marked(f"card {name}", CHAPTERS[other]))
    return text


@cache
def _translations(language: str) -> dict[str, set[str]]:
    """Every sentence of the program, with `…` for its gaps, and its translations."""
    found: dict[str, set[str]] = {}
    for message in read(LOCALE / language.replace("-", "_") / "LC_MESSAGES" / "companion.po"):
        for one, other in zip(_forms(message.id), _forms(message.string), strict=False):
            found.setdefault(_gaps(one), set()).add(_gaps(other))
    return found


def _forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text or ""),)


def _gaps(text: str) -> str:
    return re.sub(r"\{\w*[^}]*\}|\d+", "…", text).lower().strip(" .:")


KEYBOARD = {"Enter", "Backspace", "Num Lock", "Tab"}
"""Keys that are called the same in every language, in code."""
_LABEL = re.compile(r"[¿…]? ?[A-ZÀ-Ý…].*[a-zà-ý].*|[a-z]|\d+@[a-z]+|\d+,? \w+ \d+|… .+")
"""Matches what displays and pages show, and what is typed in the words of a language: that is
translated in code, and begins with a capital. Settings, commands and files don't."""


def code_of(text: str) -> tuple[list[str], list[str]]:
    """The code in a text: the translated parts, and those that are the same in every language."""
    code = CODE.findall(prose(text))
    labels = [each for each in code if _LABEL.fullmatch(each) and each not in KEYBOARD]
    return labels, [each for each in code if each not in labels]


def structure(text: str) -> tuple[Counter[str], list[int]]:
    """How many headings of each level and items of lists a text has, and the number of cells of
    each row of its tables."""
    marks = re.findall(r"^(#+|-) ", prose(text), re.MULTILINE)
    rows = [row for row in text.splitlines() if row.startswith("|")]
    return Counter(marks), sorted(len(re.split(r"(?<!\\)\|", row)) for row in rows)


@each_fresh
def test_a_chapter_has_the_parts_and_keys_of_the_english_one(language: str, name: str) -> None:
    text, same = path_in(language, name).read_text("utf-8"), source_of(language, name)
    assert structure(text) == structure(same)
    assert keys_of(text) == keys_of(same)
    assert sorted(PICTURES.findall(text)) == sorted(PICTURES.findall(same))
    assert text.count("/pictures/") == text.count(f"/pictures/{language}/")
    pages = re.findall(r"/phone/(?!photo_)(.*?/)?\w+\.png", text)
    assert {*pages} <= {f"{language}/"}
    marks = re.compile(r"<!-- table: \S+ -->")
    assert sorted(marks.findall(text)) == sorted(marks.findall(same))


@each_fresh
def test_a_chapter_has_the_numbers_and_code_of_the_english_one(language: str, name: str) -> None:
    text, same = path_in(language, name).read_text("utf-8"), source_of(language, name)
    (labels, code), (meant, as_meant) = code_of(text), code_of(same)
    assert Counter(code) == Counter(as_meant)
    assert len(labels) == len(meant)
    for label, source in zip(labels, meant, strict=True):
        known = _translations(language).get(_gaps(source), {_gaps(label)})
        assert _gaps(label) in known, f"“{source}” is shown as {known}, not “{label}”"
    assert set(PIECES.findall(text)) == set(PIECES.findall(same))
    beside = re.compile(r"<!--.*?-->|\]\([^)]*\)|`[^`\n]*`")
    numbers = [{*re.findall(r"\d+", beside.sub("", each))} for each in (text, same)]
    assert numbers[0] == numbers[1]


@each_fresh
def test_quoted_labels_are_those_of_the_pages(language: str, name: str) -> None:
    """A label is in *italics*, with a capital. If the two texts have equally many labels, each has
    to be the other's translation."""
    text, same = path_in(language, name).read_text("utf-8"), source_of(language, name)
    italics = re.compile(r"(?<![*\w])\*([^*\s`][^*`]*)\*(?![*\w])")
    found, meant = (
        [" ".join(one.split()) for one in italics.findall(each)] for each in (text, same)
    )
    assert len(found) == len(meant)
    for label, source in zip(found, meant, strict=True):
        if source[0].isupper() and (known := _translations(language).get(_gaps(source))):
            assert _gaps(label) in known, f"“{source}” is shown as {known}, not “{label}”"


@each_fresh
def test_house_rules_have_the_names_that_the_table_shows(language: str, name: str) -> None:
    text, same = path_in(language, name).read_text("utf-8"), source_of(language, name)
    rows = re.compile(r"^\| (.+?) \(`[\w-]+`\) \|", re.MULTILINE)
    for label, source in zip(rows.findall(text), rows.findall(same), strict=True):
        known = _translations(language)[_gaps(source)]
        assert _gaps(label) in known, f"“{source}” is shown as {known}, not “{label}”"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_quoted_in_a_translation_can_be_read_on_a_display(language: str) -> None:
    shown = {text for message in _shown_texts(language) for text in (message, message.strip(" .:"))}
    patterns = [
        re.compile(re.sub(r"\\{\w+(?:[^}]*)\\}", ".+", re.escape(text)))
        for text in shown
        if len(re.sub(r"\{[^}]*\}", "", text)) > 8
    ]
    frames = [made(name, translated(language)).frame for name in SCENES]
    for each, name in TEXTS:
        if each != language:
            continue
        for text in quoted(prose(text_of(language, name)), language=language):
            told = text.removesuffix("…").strip()
            said = told in shown or not re.search(r"[^\W\d]", told)
            said = said or any(
                told in each.pattern.replace("\\", "") or each.fullmatch(told) for each in patterns
            )
            assert said or any(reads(frame, text) for frame in frames), f"{name}: “{text}”"


def _shown_texts(language: str) -> set[str]:
    path = LOCALE / language.replace("-", "_") / "LC_MESSAGES" / "companion.po"
    return {text for message in read(path) for text in _forms(message.string)}


@pytest.mark.parametrize(
    "language, name", [(each, name) for each in LANGUAGES for name in pages_in(each)]
)
def test_links_stay_in_the_language_or_are_marked(language: str, name: str) -> None:
    here = path_in(language, name)
    text = here.read_text("utf-8")
    for link in re.finditer(r"\[([^\]]+)\]\((?!https?:)([^)]+)\)", text):
        path, _, anchor = link[2].partition("#")
        other = (here.parent / path).resolve() if path else here
        assert other.exists(), link[0]
        if other.suffix == ".md":
            heads = re.findall(r"^#+ (.+)$", other.read_text("utf-8"), re.MULTILINE)
            assert not anchor or anchor in map(anchor_of, heads), link[0]
        if other.suffix == ".md" and other.parent != here.parent:
            is_translated = other.stem in pages_in(language) and other.stem != MANUAL
            assert not is_translated, f"{link[0]} is there in {language}"
            behind = text[link.start() : link.end() + 40]
            assert WORDS[language].english in " ".join(behind.split()), link[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_leads_to_every_chapter_and_every_card(language: str) -> None:
    text = path_in(language, MANUAL).read_text("utf-8")
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)}
    here = chapters_in(language)
    assert {f"{name}.md" if name in here else f"../{name}.md" for name in CHAPTERS} <= links
    assert {f"../../quick-card-{game}.html" for game in TITLES} <= links


def test_spanish_has_every_chapter_and_the_others_the_first_evening() -> None:
    assert chapters_in("es").keys() == CHAPTERS.keys()
    assert all("high-five" in chapters_in(language) for language in LANGUAGES)


def test_a_chapter_whose_english_text_has_changed_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source, target = tmp_path / "box.md", tmp_path / "caja.md"
    source.write_text("# The box\n\nKeys.\n", "utf-8")
    target.write_text("# La caja\n\nTeclas.\n", "utf-8")
    paths = {ENGLISH: source, "es": target}
    monkeypatch.setattr(translations, "path_in", lambda language, _: paths[language])
    assert is_stale("es", "box"), "nobody has compared them yet"
    sign("es", "box")
    sign("es", "box")
    assert not is_stale("es", "box")
    assert target.read_text("utf-8").count("<!-- english: ") == 1
    source.write_text("# The box\n\nMore keys.\n", "utf-8")
    assert is_stale("es", "box")
    monkeypatch.setattr("tests.manual.help.path_in", lambda language, _: paths[language])
    assert '<em>El <a href="../box">capítulo en inglés</a> ha cambiado' in chapter("es", "box")


@pytest.mark.parametrize("language, name", TEXTS)
def test_no_line_of_keys_is_too_long(language: str, name: str) -> None:
    text = text_of(language, name)
    blocks = re.findall(r"^```keys.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert max((len(line) for one in blocks for line in one.splitlines()), default=0) <= 88
