"""The page of key legends: each key once, and in true size."""

import xml.etree.ElementTree as ET
from collections import Counter

from PIL import ImageFont

from companion.core.keys import SIXTEEN
from companion.devices.board import MatrixKeys, load_board
from companion.devices.pads.pad_keys import PAD_CODES
from hw.bom import load_bom
from hw.legends import (
    BESIDE,
    CAP,
    CAPITAL,
    LABEL,
    NUMBER_PAD,
    PAGE,
    READABLE,
    RULER,
    SETS,
    legends_svg,
)
from hw.tables import relabelled_keys

BOLD = "DejaVuSans-Bold.ttf"
SVG = "{http://www.w3.org/2000/svg}"
ROOT = ET.fromstring(legends_svg())
BOXES = [
    tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
    for box in ROOT.iter(f"{SVG}rect")
]
WORDS = [
    (float(text.attrib["x"]), float(text.attrib["y"]), text.text or "")
    for text in ROOT.iter(f"{SVG}text")
    if text.attrib["text-anchor"] == "middle"
]


def test_legends_are_drawn_to_scale() -> None:
    assert (ROOT.attrib["width"], ROOT.attrib["height"]) == (f"{PAGE[0]}mm", f"{PAGE[1]}mm")
    assert ROOT.attrib["viewBox"] == f"0 0 {PAGE[0]} {PAGE[1]}"
    ruler = next(ROOT.iter(f"{SVG}path")).attrib["d"]
    assert f"h{RULER}" in ruler


def test_every_key_has_a_legend_and_a_label_if_needed() -> None:
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    wanted = Counter(key.value for key in SIXTEEN)
    for _, word in relabelled_keys(keys):
        wanted[word] += SETS
    for word in NUMBER_PAD:
        wanted[word] += SETS
    assert Counter(word for _, _, word in WORDS) == wanted
    sizes = Counter((width, height) for _, _, width, height in BOXES)
    assert sizes == {CAP: 16, LABEL: (6 + len(NUMBER_PAD)) * SETS}


def test_every_legend_is_within_its_box_and_the_page() -> None:
    for (x, y, width, height), (middle, base, _) in zip(BOXES, WORDS, strict=True):
        assert middle == x + width / 2
        assert y < base < y + height
        assert x >= 10 and x + width <= PAGE[0] - 10 and y + height <= PAGE[1] - 10


def test_labels_have_the_size_in_the_parts_list() -> None:
    row = next(part for part in load_bom() if part.name == "Labels")
    assert f"{LABEL[0]:g} × {LABEL[1]:g} mm" in row.order


def test_legends_are_readable_from_as_far_as_the_display() -> None:
    """By the guide's table, small text of 1.6 mm is read with ease from 0.3 m."""
    for text in ROOT.iter(f"{SVG}text"):
        if text.attrib["text-anchor"] == "middle":
            assert float(text.attrib["font-size"]) * CAPITAL >= READABLE > 1.6, text.text


def test_legends_fit_their_boxes_by_font_metrics() -> None:
    font = ImageFont.truetype(BOLD, 1000)
    texts = [text for text in ROOT.iter(f"{SVG}text") if text.attrib["text-anchor"] == "middle"]
    for (_, _, width, _), text in zip(BOXES, texts, strict=True):
        own = font.getlength(text.text or "") / 1000 * float(text.attrib["font-size"])
        assert float(text.attrib.get("textLength", own)) <= width - BESIDE + 0.01, text.text
        # Narrower by a fifth at most: the letters stay letters.
        assert float(text.attrib.get("textLength", own)) >= 0.8 * own, text.text


def test_labels_of_a_number_pad_match_its_keys() -> None:
    enter, backspace, plus, minus, star, slash = 96, 14, 78, 74, 55, 98
    codes = (enter, backspace, plus, minus, star, slash)
    assert tuple(PAD_CODES[code].value for code in codes) == NUMBER_PAD
