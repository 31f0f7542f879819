"""The help that the page shows: the manual and the quick cards as pages of the package.

They lie in companion/web/help, beside links to the pictures of docs/, and are not committed:
renew.py says who makes them. By hand: python -m tests.manual.help
"""

import re
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests.manual.book import ROOT, TEXT
from tests.manual.card import TITLES, body_of, markdown, path_of

PLACE = ROOT / "companion" / "web" / "help"
MANUAL = "manual"
_FOLDERS = ("pictures/", "phone/", "drawings/")


def page(title: str, body: str) -> str:
    """One page of the help."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\n'
        f'<title>{title}</title>\n<link rel="icon" href="/icon.svg" type="image/svg+xml">\n'
        '<link rel="stylesheet" href="/help.css">\n</head>\n'
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def manual() -> str:
    """The whole manual, its chapters first as links."""
    text = re.sub(r"<!--.*?-->", "", TEXT, flags=re.DOTALL)
    body = markdown().render(_without_files(text))
    named: list[tuple[str, str, str]] = []

    def anchored(heading: re.Match[str]) -> str:
        level, words = heading[1], heading[2]
        plain = re.sub(r"<[^>]+>", "", words)
        anchor = re.sub(r"[^\w -]", "", plain.lower()).replace(" ", "-")
        named.append((level, anchor, words))
        return f'<h{level} id="{anchor}">{words}</h{level}>'

    body = re.sub(r"<h([1-3])>(.*?)</h\1>", anchored, body)
    body = body.replace("<table>", '<div class="scrolls"><table>').replace(
        "</table>", "</table></div>"
    )
    chapters = "".join(
        f'<li><a href="#{anchor}">{words}</a></li>\n'
        for level, anchor, words in named[1:]
        if level == "1"
    )
    return page("The manual", f'<nav aria-label="Chapters">\n<ul>\n{chapters}</ul>\n</nav>\n{body}')


def _without_files(text: str) -> str:
    """Links to other files lead nowhere here: their words stay."""

    def kept(link: re.Match[str]) -> str:
        leads = link[2].startswith(("#", "http", *_FOLDERS))
        return link[0] if leads else link[1]

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", kept, text)


def pages() -> dict[Path, str]:
    """Every page, by where it lies."""
    cards = {PLACE / path_of(game).name: page(TITLES[game], body_of(game)) for game in TITLES}
    return {PLACE / f"{MANUAL}.html": manual(), **cards}


def make() -> None:
    """Writes all pages, each at once whole, and removes those that the manual no longer has."""
    made = pages()
    for path in {*PLACE.glob("*.html")} - {*made}:
        path.unlink()
    for path, text in made.items():
        with NamedTemporaryFile("w", encoding="utf-8", dir=PLACE, delete=False) as file:
            file.write(text)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)


if __name__ == "__main__":
    make()
