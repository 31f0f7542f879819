"""The words of START-HERE are those that people find on the page, in the release, and elsewhere."""

import re

from companion.presentation.page_words import PAGE_WORDS
from image.inputs import ROOT

TEXT = (ROOT / "systemd" / "release" / "start-here.md").read_text("utf-8")
ELSEWHERE = {
    *("Use custom", "App Options", "Content Repository"),
    *("Cancel", "Open in Terminal", "Open PowerShell window here"),
    "Done",
}
"""Labels of Raspberry Pi Imager, of Windows, and of iPhones."""
OTHERS = {"before", "First light", "OK"}
"""A word that is stressed, a heading of the building guide, and a key of the box."""


def test_every_button_named_in_start_here_exists_on_the_page() -> None:
    labels = {" ".join(found.split()) for found in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", TEXT)}
    ours = labels - ELSEWHERE - OTHERS
    assert {"Start a game", "Stay on this Wi-Fi"} <= ours
    words = "\n".join(str(word) for word in PAGE_WORDS.values())
    for label in ours:
        pattern = re.sub(r"\\? ?\d+$", r" (\\d+|{number})", re.escape(label))
        assert re.search(rf"^{pattern}$", words, re.MULTILINE), f"no button is called “{label}”"
