"""The second opinion: the network in the browser is the one that was trained, it is small, its
training can be repeated, and it is rarely wrong when it is certain."""

from typing import Any, Final

import numpy as np

from tests.photos.half_pictures import NO_HALF, grounds, normalised, pictures
from tests.photos.in_browser import reader_in
from tests.photos.train_halves import (
    packed,
    sample,
    shares,
    trained,
    unpacked,
    weights_in,
)
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414

SURE: Final = 0.98
"""The certainty that read.js requires."""
LARGEST: Final = 100_000
ASK: Final = """async (pictures) => {
  const { opinion } = await import("/photo/halves.js");
  return pictures.map((one) => [...opinion(Float32Array.from(one)).shares]);
}"""


def test_the_weights_are_small() -> None:
    assert len(weights_in()) <= LARGEST


def test_the_same_seed_trains_the_same_network() -> None:
    assert packed(trained(3, 512, 1)) == packed(trained(3, 512, 1))


def test_it_is_seldom_wrong_where_it_is_sure() -> None:
    made, label = sample(7, 2048)
    part = shares(unpacked(weights_in()).scores(normalised(made.astype(np.float32) / 255)))
    tells = (part.argmax(1) != NO_HALF) & (part.max(1) > SURE)
    halves = label != NO_HALF
    assert (tells & (part.argmax(1) == label)).sum() > 0.6 * halves.sum()
    assert (tells & halves & (part.argmax(1) != label)).sum() <= 0.003 * halves.sum()


def test_the_browser_runs_the_network_that_was_trained(browser: Any) -> None:
    random = np.random.default_rng(2)
    made, _labels = pictures(random, 24, grounds(random, 4))
    with reader_in(browser) as reader:
        told = reader.tab.evaluate(ASK, made.reshape(24, -1).tolist())
    expected = shares(unpacked(weights_in()).scores(normalised(made)))
    assert np.abs(np.array(told) - expected).max() < 1e-4
