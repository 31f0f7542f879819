# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Parses KiCad's files, which consist of brackets, words and quoted texts, into lists."""

import re
from collections.abc import Iterator

Node = list["str | Node"]
"""The content of one pair of brackets; its first word is its kind."""

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


def parse(text: str) -> Node:
    """Returns the content of the outermost brackets as a list. Raises ValueError if brackets don't
    match."""
    top: Node = []
    stack = [top]
    for match in _TOKEN.finditer(text):
        quoted, bracket, word = match.groups()
        if bracket == "(":
            inner: Node = []
            stack[-1].append(inner)
            stack.append(inner)
        elif bracket == ")":
            stack.pop()
            if not stack:
                raise ValueError("a bracket is closed that was not opened")
        else:
            stack[-1].append(word if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
    if len(stack) != 1 or len(top) != 1 or not isinstance(top[0], list):
        raise ValueError("the brackets don't match")
    return top[0]


def each(node: Node, name: str) -> Iterator[Node]:
    """Yields the inner nodes with that name, one level down."""
    return (one for one in node if isinstance(one, list) and one and one[0] == name)


def value(node: Node, name: str) -> str:
    """Returns the first value of the first inner node with that name; empty if there is none."""
    for one in each(node, name):
        if len(one) > 1 and isinstance(one[1], str):
            return one[1]
    return ""


def netlist(text: str) -> dict[tuple[str, str], str]:
    """Returns the nets of a netlist file: for each (part's name, pin number) the net's name."""
    found = {}
    for nets in each(parse(text), "nets"):
        for net in each(nets, "net"):
            for node in each(net, "node"):
                found[value(node, "ref"), value(node, "pin")] = value(net, "name")
    return found


def pads(text: str) -> dict[tuple[str, str], str]:
    """Returns the nets of a board file: for each (part's name, pad number) the net's name."""
    found = {}
    for footprint in each(parse(text), "footprint"):
        told = {str(one[1]): str(one[2]) for one in each(footprint, "property")}
        for pad in each(footprint, "pad"):
            net = next((one[-1] for one in each(pad, "net")), "")
            found[told["Reference"], str(pad[1])] = str(net)
    return found
