"""Trains the photo reader's second opinion, a small network that recognises the number on half a
tile, and writes its weights: `python -m tests.photos.train_halves [FILE]`. It takes some four
minutes on two cores; the same seed gives the same weights, apart from the rounding of the
processor's matrix library. halves.js runs the network."""

import argparse
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.photos.half_pictures import (
    CLASSES,
    NO_HALF,
    SIZE,
    Array,
    Draw,
    grounds,
    normalised,
    pictures,
)

WEIGHTS: Final = Path(__file__).parents[2] / "companion/web/static/photo/weights.js"
SEED: Final = 50
PICTURES: Final = 32_768
ROUNDS: Final = 3
BATCH: Final = 64
RATE: Final = 2e-3
DRAWN: Final = 512
"""Pictures that are drawn at once."""
CHECKED: Final = 16_384
"""Pictures of other sets on which the trained network is tried."""
KERNELS: Final = ((5, 1, 8), (3, 8, 16), (3, 16, 32))
"""Of each convolution the side of its kernel, and how many planes it reads and makes."""
POOLED: Final = (True, True, False)
"""Whether each is followed by the largest of two by two."""
HIDDEN: Final = 40
FLAT: Final = (SIZE // 4) ** 2 * KERNELS[-1][2]


@dataclass
class Layer:
    """One layer's weights, its input at the last call, and the averages that Adam keeps."""

    weights: Array
    bias: Array

    def __post_init__(self) -> None:
        self.seen: Array = np.zeros(0, np.float32)
        self.kept = [np.zeros_like(one) for one in (self.weights, self.bias) * 2]

    def step(self, slopes: tuple[Array, Array], number: int, rate: float) -> None:
        for at, (value, slope) in enumerate(zip((self.weights, self.bias), slopes, strict=True)):
            first, second = self.kept[at], self.kept[at + 2]
            first += 0.1 * (slope - first)
            second += 0.005 * (slope**2 - second)
            mean, square = first / (1 - 0.9**number), second / (1 - 0.995**number)
            np.subtract(value, rate * mean / (np.sqrt(square) + 1e-7), out=value)


class Network:
    """The network: three convolutions, the first two pooled, and two full layers."""

    def __init__(self, random: Draw) -> None:
        shapes = [(side * side * planes, made) for side, planes, made in KERNELS]
        shapes += [(FLAT, HIDDEN), (HIDDEN, CLASSES)]
        self.layers = [
            Layer(
                random.normal(0, np.sqrt(2 / into), (into, out)).astype(np.float32),
                np.zeros(out, np.float32),
            )
            for into, out in shapes
        ]

    def scores(self, made: Array) -> Array:
        """The score of each class, for pictures as `normalised` gives them."""
        values = made[..., None]
        self.largest: list[Array] = []
        for layer, (side, _, _), pooled in zip(self.layers, KERNELS, POOLED, strict=False):
            layer.seen = patches(values, side)
            values = np.maximum(layer.seen @ layer.weights + layer.bias, 0)
            if pooled:
                parts = quarters(values)
                values = parts.max(0)
                self.largest.append((parts == values) & (values > 0))
            else:
                self.largest.append(values > 0)
        values = values.reshape(len(values), -1)
        hidden, last = self.layers[-2:]
        hidden.seen = values
        last.seen = np.maximum(values @ hidden.weights + hidden.bias, 0)
        scores: Array = last.seen @ last.weights + last.bias
        return scores

    def learn(self, made: Array, label: Array, number: int, rate: float) -> float:
        """Adjusts the weights to one batch; returns its loss."""
        part = shares(self.scores(made))
        loss = -np.log(part[np.arange(len(label)), label] + 1e-9).mean()
        slope = part
        slope[np.arange(len(label)), label] -= 1
        slope /= len(label)
        steps = []
        for layer in self.layers[:-3:-1]:
            steps.append((layer, (layer.seen.T @ slope, slope.sum(0))))
            slope = (slope @ layer.weights.T) * (layer.seen > 0)
        side = SIZE // 4
        slope = slope.reshape(len(label), side, side, -1)
        for at in (2, 1, 0):
            layer, largest = self.layers[at], self.largest[at]
            slope = spread(slope, largest) if POOLED[at] else slope * largest
            flat = slope.reshape(-1, slope.shape[-1])
            seen = layer.seen.reshape(-1, layer.seen.shape[-1])
            steps.append((layer, (seen.T @ flat, flat.sum(0))))
            if at:
                slope = patches(slope, KERNELS[at][0]) @ turned(layer.weights, KERNELS[at])
        for layer, slopes in steps:
            layer.step(slopes, number, rate)
        return float(loss)


def patches(values: Array, side: int) -> Array:
    """Returns the input of a kernel of that side at each place, with zeros around the picture."""
    edge = side // 2
    padded = np.pad(values, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    windows = sliding_window_view(padded, (side, side), axis=(1, 2))
    batch, high, wide, planes = values.shape
    turned = np.moveaxis(windows, 3, 5)
    return np.ascontiguousarray(turned).reshape(batch, high, wide, side * side * planes)


def turned(weights: Array, kernel: tuple[int, int, int]) -> Array:
    """Returns a kernel's weights for backpropagation: rotated by half a turn, with input and output
    planes exchanged."""
    side, planes, made = kernel
    back = weights.reshape(side, side, planes, made)[::-1, ::-1].transpose(0, 1, 3, 2)
    return back.reshape(side * side * made, planes)


def quarters(values: Array) -> Array:
    """Returns the four values of each two-by-two block."""
    return np.stack([values[:, y::2, x::2] for y in (0, 1) for x in (0, 1)])


def spread(slope: Array, largest: Array) -> Array:
    """Returns the gradient at each value, from that of the largest value of its two-by-two
    block."""
    batch, high, wide, planes = slope.shape
    made = np.zeros((batch, high * 2, wide * 2, planes), np.float32)
    for at, (y, x) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        made[:, y::2, x::2] = slope * largest[at]
    return made


def shares(scores: Array) -> Array:
    """Returns the probability of each class, from its score."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    made: Array = powers / powers.sum(1, keepdims=True)
    return made


def sample(seed: int, many: int) -> tuple[Array, Array]:
    """Returns pictures and their classes; the pictures as bytes, to save memory."""
    random = np.random.default_rng(seed)
    made, labels = [], []
    for number in range(-(-many // DRAWN)):
        if number % 8 == 0:
            ground = grounds(random, 24)
        some, label = pictures(random, DRAWN, ground)
        made.append((some * 255).round().astype(np.uint8))
        labels.append(label)
    return np.concatenate(made)[:many], np.concatenate(labels)[:many]


def batches(random: Draw, made: Array, label: Array) -> Iterator[tuple[Array, Array]]:
    order = random.permutation(len(made))
    for at in range(0, len(order) - BATCH + 1, BATCH):
        which = order[at : at + BATCH]
        some = made[which].astype(np.float32) / 255
        if random.random() < 0.5:
            some = some[:, :, ::-1]
        yield normalised(some), label[which]


def trained(seed: int = SEED, many: int = PICTURES, rounds: int = ROUNDS) -> Network:
    """Returns a network that was trained with this many pictures."""
    random = np.random.default_rng(seed)
    made, label = sample(seed, many)
    network = Network(random)
    last, number = rounds * (many // BATCH), 0
    for round_number in range(rounds):
        losses = []
        for some, classes in batches(random, made, label):
            number += 1
            rate = RATE * (0.5 + 0.5 * np.cos(np.pi * number / last)) + 1e-5
            losses.append(network.learn(some, classes, number, float(rate)))
        print(f"round {round_number + 1}: loss {np.mean(losses[-200:]):.4f}", flush=True)
    return network


def quantised(weights: Array) -> tuple[Array, Array]:
    """Returns the weights as whole numbers from -127 to 127, and the value of one unit for each
    column."""
    scale = np.maximum(np.abs(weights).max(0) / 127, 1e-9).astype(np.float32)
    return np.round(weights / scale).astype(np.int8), scale


def packed(network: Network) -> bytes:
    """Returns the weights as halves.js reads them: for each layer its scales, biases and
    weights."""
    parts = []
    for layer in network.layers:
        whole, scale = quantised(layer.weights)
        parts += [scale.astype("<f4").tobytes(), layer.bias.astype("<f4").tobytes()]
        parts.append(whole.T.tobytes())
    return b"".join(parts)


def unpacked(data: bytes) -> Network:
    """Returns the network with these weights, in the format of `packed`."""
    network, at = Network(np.random.default_rng(0)), 0
    for layer in network.layers:
        into, out = layer.weights.shape
        scale, layer.bias = np.frombuffer(data, "<f4", 2 * out, at).reshape(2, out)
        whole = np.frombuffer(data, np.int8, into * out, at + 8 * out).reshape(out, into)
        layer.weights = (whole.T * scale).astype(np.float32)
        at += (8 + into) * out
    return network


def weights_in(file: Path = WEIGHTS) -> bytes:
    """Returns the weights contained in a script of weights."""
    return b64decode(file.read_text("utf-8").split('"')[1])


def report(network: Network) -> None:
    """Prints how often pictures of other sets are classified correctly, and how often wrongly with
    certainty."""
    made, label = sample(SEED + 1, CHECKED)
    scores = [
        network.scores(normalised(made[at : at + 1024].astype(np.float32) / 255))
        for at in range(0, CHECKED, 1024)
    ]
    part = shares(np.concatenate(scores))
    told, sure = part.argmax(1), part.max(1)
    print(f"right: {(told == label).mean():.2%}")
    halves = label != NO_HALF
    for least in (0.9, 0.97, 0.99, 0.997, 0.999):
        tells = (told != NO_HALF) & (sure > least)
        right = (tells & (told == label)).sum() / halves.sum()
        wrong = (tells & halves & (told != label)).sum() / halves.sum()
        taken = (tells & ~halves).sum() / (~halves).sum()
        print(f"{least}: read {right:.2%}, wrong {wrong:.3%}, no half taken for one {taken:.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=WEIGHTS)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    data = packed(trained(many=asked.pictures, rounds=asked.rounds))
    report(unpacked(data))
    text = b64encode(data).decode()
    head = "// By tests/photos/train_halves.py."
    asked.file.write_text(f'{head}\nexport const WEIGHTS = "{text}";\n', "utf-8")


if __name__ == "__main__":
    main()
