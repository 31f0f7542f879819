"""The catalogues of the languages: each is complete and valid, and names its reviewers. A mistake
in one is reported in a line, and the table keeps running."""

import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.dates import format_date, format_skeleton
from babel.messages.catalog import Message

from companion.core.clock import local_date
from companion.core.languages import OWN_NAMES, find_language, preferred_language
from companion.core.words import capital, phrase
from companion.presentation.dates import date_words
from companion.presentation.language import (
    ENGLISH,
    LOCALE,
    Language,
    compiled_catalogue,
    language_of,
    read_language,
    table_language,
)
from tests.catalogues import catalogue_files, mistakes_in, read, renew_catalogues, translated
from tests.catalogues import compiled as made_of
from tests.made_up import PARTS
from tests.words import listed

FILES = catalogue_files()
TRANSLATED = [name for name in OWN_NAMES if name != ENGLISH.name]
each_file = pytest.mark.parametrize("path", FILES, ids=[path.parents[1].name for path in FILES])
each_language = pytest.mark.parametrize("name", TRANSLATED)


def key(message: Message) -> tuple[str | None, str]:
    one = message.id if isinstance(message.id, str) else message.id[0]
    return message.context, str(one)


def test_every_language_has_a_name_of_its_own_and_a_catalogue() -> None:
    assert [path.parents[1].name.replace("_", "-") for path in FILES] == TRANSLATED


@each_file
def test_a_catalogue_has_exactly_the_sentences_that_people_read(path: Path) -> None:
    said = {}
    for message in read(path):
        if message.id:
            said_here = message.string or ""
            texts = [said_here] if isinstance(said_here, str) else [*said_here]
            said[key(message)] = all(texts) and not message.fuzzy
    found = {key(message) for message in listed() if message.id}
    assert {one for one in found if not said.get(one)} == set()
    assert said.keys() - found == set()


OTHER_WORDS = {
    "de": "Aufzeichnung|Logbuch|Eingaben|Kästchen|Bretter|Partie|Spielstein",
    "es": r"aparato|cajita|vosotros|ustedes|noches?\b|móvil|chapas?\b|\btantos\b|la wifi|Árbitro",
    "fr": r"enregistrement|boîte\b",
    "nl": r"\bbox\b|[Vv]erslag|protocol\b|getrokken|trekken|[Nn]otitie|[Nn]umeriek",
    "pt_BR": r"caixinha|telefone|[Rr]enúncia|História\b|\bpeças?\b(?! de novo)",
}
"""Second words for the record, the box, a tile or the people, beside a catalogue's chosen ones:
such words stood there once and must not come back."""


@each_file
def test_a_term_has_one_translation_everywhere(path: Path) -> None:
    other = re.compile(OTHER_WORDS[path.parents[1].name])
    said = {m.string if isinstance(m.string, str) else " ".join(m.string or ()) for m in read(path)}
    assert {text for text in said if text and other.search(PARTS.sub("", text))} == set()


WRONG_MARKS = {
    "de": "[”«»]",
    "es": "[«»„]",
    "fr": "[“”„]| [:;?!»]|« ",
    "nl": "[«»„]",
    "pt_BR": "[«»„]",
}
"""Quotation marks of other languages. In French also a space at which a line may break, where it
must not."""


@each_file
def test_a_catalogue_uses_the_quotation_marks_of_its_language(path: Path) -> None:
    wrong = re.compile(WRONG_MARKS[path.parents[1].name])
    said = {m.string if isinstance(m.string, str) else " ".join(m.string or ()) for m in read(path)}
    assert {text for text in said if text and wrong.search(text)} == set()


@each_file
def test_a_catalogue_has_no_mistakes(path: Path) -> None:
    assert [wrong for _, wrong in mistakes_in(read(path))] == []


@each_file
def test_a_catalogue_names_its_reviewers_in_the_header(path: Path) -> None:
    assert dict(read(path).mime_headers)["Last-Translator"]
    assert "not yet read by a native speaker" in path.read_text("utf-8")[:2000]


# ---------------------------------------------------------------- what is built of them


@each_language
def test_a_build_compiles_the_catalogues_that_the_table_reads(name: str) -> None:
    renew_catalogues()
    assert compiled_catalogue(name).exists()
    made, read_from_po = language_of(name), translated(name)
    hello = phrase("Which game?")
    assert (
        made.name == name
        and made.translate(hello) == read_from_po.translate(hello) != "Which game?"
    )


WRONG = """
msgid ""
msgstr ""
"Language: es\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{seat} passes"
msgstr "{asiento} pasa"

msgid "Which game?"
msgstr "¿Qué juego?"

msgid "Who plays?"
msgstr ""
"""


@pytest.fixture
def wrong_catalogue(tmp_path: Path) -> Path:
    path = tmp_path / "es" / "LC_MESSAGES" / "companion.po"
    path.parent.mkdir(parents=True)
    path.write_text(WRONG, "utf-8")
    return path


def test_a_wrong_placeholder_is_reported_at_build_and_stays_english(
    wrong_catalogue: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    language = Language("es", GNUTranslations(BytesIO(made_of(wrong_catalogue))))
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"{wrong_catalogue}:8: “{{asiento}} pasa” names {{asiento}}, “{{seat}} passes” doesn't:"
        " it stays English"
    )
    assert language.translate(phrase("{seat} passes", seat="Ana")) == "Ana passes"
    assert language.translate(phrase("Which game?")) == "¿Qué juego?"
    assert language.translate(phrase("Who plays?")) == "Who plays?"  # half-translated


def test_a_wrong_placeholder_from_another_tool_is_reported_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Wrong(GNUTranslations):
        def gettext(self, message: str) -> str:
            return "{asiento} pasa"

        def pgettext(self, context: str, message: str) -> str:
            return "{asiento} pasa" if context == "x" else message

    language = Language("es", Wrong())
    for _ in range(2):
        assert language.translate(phrase("{seat} passes", seat="Ana")) == "Ana passes"
    assert language.catalogue({"x": "{seat} passes"}) == {"x": "{seat} passes"}
    assert [line[:20] for line in capsys.readouterr().err.splitlines()] == [
        "es: “{asiento} pasa”",
        "es: “{asiento} pasa”",
    ]


@pytest.mark.parametrize("content", [None, b"", b"\xde\x12\x04\x95 not whole", b"no catalogue"])
def test_without_a_readable_catalogue_text_is_english_and_a_line_reports_it(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "companion.mo"
    if content is not None:
        path.write_bytes(content)
    assert read_language("es", path) is ENGLISH
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("The words of Español are missing, so it is English: ")
    assert str(path) in line


# ---------------------------------------------------------------- which one


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("pt-PT,pt;q=0.9", "pt-BR"),
        ("ja,fr-CA;q=0.8,en;q=0.7", "fr"),
        ("en;q=0.5, de", "de"),
        ("nl;q=0", None),
        ("ja", None),
        ("", None),
        ("*", None),
        ("es;q=nonsense,;;,de-DE-1996", "de"),
        ("x" * 100_000, None),
    ],
)
def test_the_first_known_language_of_the_browser_is_chosen(said: str, name: str | None) -> None:
    assert preferred_language(said) == name


def test_a_language_is_found_by_its_tag_or_a_similar_one() -> None:
    assert find_language("pt_BR") == find_language("pt") == "pt-BR"
    assert find_language("ES") == "es" and find_language("xx") is None


def test_the_tables_choice_overrides_the_default_language() -> None:
    usual = Language("xx")
    assert table_language({}, usual) is usual
    assert table_language({"language": "tlh"}, usual) is usual
    assert table_language({"language": "es"}, usual).name == "es"
    assert table_language({"language": "en"}, usual) is ENGLISH


# ---------------------------------------------------------------- numbers, dates, sentences


@each_language
def test_numbers_are_written_as_the_language_writes_them(name: str) -> None:
    language = translated(name)
    said = phrase("{value:.2f}", value=2.5), phrase("{longest:,}", longest=10_000)
    spaces = str.maketrans({"\u202f": " ", "\xa0": " "})
    tens = {"fr": "10 000"}.get(name, "10.000")
    assert tuple(language.translate(one).translate(spaces) for one in said) == ("2,50", tens)
    assert ENGLISH.translate(phrase("{value:.2f}", value=2.5)) == "2.50"


@each_language
def test_dates_are_formatted_by_babel(name: str) -> None:
    language, locale = translated(name), name.replace("-", "_")
    for month in range(12):
        at = 1e9 + 86400 * 30.4 * month
        day = local_date(at)
        found = [date_words(at, at), date_words(at, None)]
        assert [language.translate(one) for one in found if one] == [
            format_skeleton("MMMMd", day, locale=locale),
            format_date(day, "long", locale=locale),
        ]


def test_a_sentence_begins_with_a_capital_whatever_its_first_part_is() -> None:
    said = capital(phrase("{whose} is back.", whose=phrase("keypad {end}", end="2d2f")))
    assert said == "Keypad 2d2f is back."
    assert translated("es").translate(said) == "El teclado 2d2f está de vuelta."


def test_catalogues_are_where_the_program_looks_for_them() -> None:
    assert {path.parents[2] for path in FILES} == {LOCALE}
