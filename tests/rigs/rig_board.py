"""The circuit board, made by KiCad: it agrees with hw/boards/keys-16.toml pin by pin, passes
KiCad's checks, and lies on a Raspberry Pi."""

import math
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from gpiozero import pi_info
from PIL import Image, ImageChops, ImageFilter

from hw.board import build
from hw.board.findings import findings
from hw.board.kicad import Kicad, find_own_kicad
from hw.board.layout import HERE, LAYOUT, extra_pins, holes, key_centres, key_pins, parts
from hw.board.sexp import Node, each, netlist, pads, parse, value
from release.parts_page import make_parts_page
from tests.rigs.roots import need

Nets = dict[tuple[str, str], str]


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kicad]:
    if find_own_kicad(tmp_path_factory.mktemp("own")) is None:
        need("mmdebstrap", "chroot")
    if find_spec("skidl") is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("this rig needs SKiDL: pip install '.[hw]'")
    with build.any_kicad() as found:
        yield found


@pytest.fixture(scope="module")
def made(tool: Kicad, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with everything. KiCad's checks of circuit and board have passed."""
    out = tmp_path_factory.mktemp("made")
    build.build(tool, out)
    return out


def physical(gpio: int) -> str:
    """The name of the header's pin with this GPIO, by gpiozero."""
    pins = pi_info("c03111").headers["J8"].pins
    return str(next(pin.number for pin in pins.values() if pin.name == f"GPIO{gpio}"))


def all_nets(made: Path) -> dict[str, Nets]:
    """The nets three times: by SKiDL's netlist, by KiCad's netlist of the sheet, and by the board's
    pads."""
    return {
        "circuit": netlist((made / "circuit.net").read_text()),
        "sheet": netlist((made / "sheet.net").read_text()),
        "board": pads((made / "board.kicad_pcb").read_text()),
    }


@pytest.mark.parametrize("source", ["circuit", "sheet", "board"])
def test_each_key_is_between_its_gpio_and_ground(made: Path, source: str) -> None:
    nets = all_nets(made)[source]
    switches = {part.value: part.ref for part in parts() if part.ref.startswith("SW")}
    for key, gpio in key_pins().items():
        net = nets["J1", physical(gpio)]
        assert net not in ("", "GND")
        assert {pin for pin, name in nets.items() if name == net} == {
            ("J1", physical(gpio)),
            (switches[key], "1"),
        }
        assert nets[switches[key], "2"] == "GND"


@pytest.mark.parametrize("source", ["circuit", "sheet", "board"])
def test_power_display_buzzer_and_power_key_are_wired(made: Path, source: str) -> None:
    nets = all_nets(made)[source]

    def on(net: str) -> set[str]:
        return {f"{ref}.{pin}" for (ref, pin), name in nets.items() if name == net}

    header = pi_info("c03111").headers["J8"].pins
    for voltage in ("3V3", "5V", "GND"):
        pins = {f"J1.{pin.number}" for pin in header.values() if pin.name == voltage}
        assert pins == {pin for pin in on(voltage) if pin.startswith("J1.")}
    assert on("SDA") == {f"J1.{physical(2)}", "J2.4"}
    assert on("SCL") == {f"J1.{physical(3)}", "J2.3", "D1.2"}
    # Both jumpers to A (1 and 2): ground and 3.3 V; both to B (2 and 3): the other way round.
    assert on("OLED_1") == {"J2.1", "JP1.2"}
    assert on("OLED_2") == {"J2.2", "JP2.2"}
    assert [nets["JP1", "1"], nets["JP2", "1"]] == ["GND", "3V3"]
    assert [nets["JP1", "3"], nets["JP2", "3"]] == ["3V3", "GND"]
    # A diode's first pin is its cathode.
    assert on("POWER_KEY") == {"SW17.1", "J3.1", "D1.1", "D2.1"}
    assert on("POWER_OFF") == {f"J1.{physical(extra_pins()['power_off'])}", "D2.2"}
    assert on("BUZZER") == {f"J1.{physical(extra_pins()['buzzer'])}", "R1.1"}
    assert on("BUZZER_BASE") == {"R1.2", "Q1.2"}
    assert on("BUZZER_LOW") == {"Q1.3", "BZ1.2", "D3.2"}
    assert {"BZ1.1", "D3.1"} <= on("5V")
    assert {"SW17.2", "J3.2", "Q1.1"} <= on("GND")


def spots(board: Node, ref: str) -> dict[str, tuple[float, float]]:
    """The places of a part's pads on the board, in mm, seen from above."""
    for footprint in each(board, "footprint"):
        if ["property", "Reference", ref] in [one[:3] for one in each(footprint, "property")]:
            x, y, *turn = (float(str(one)) for one in next(each(footprint, "at"))[1:])
            angle = math.radians(turn[0] if turn else 0)
            found = {}
            for pad in each(footprint, "pad"):
                pad_x, pad_y = (float(str(one)) for one in next(each(pad, "at"))[1:3])
                found[str(pad[1])] = (
                    x + pad_x * math.cos(angle) + pad_y * math.sin(angle),
                    y - pad_x * math.sin(angle) + pad_y * math.cos(angle),
                )
            return found
    raise AssertionError(f"there is no {ref} on the board")


def test_the_socket_matches_the_pins_of_a_pi(made: Path) -> None:
    # Seen from above with the header towards the players, a Pi's USB is to the left; pin 1 is at
    # the other end, in the row farther from the Pi's edge, and pin 2 beside it, towards the edge.
    board = parse((made / "board.kicad_pcb").read_text())
    x, y = LAYOUT["pi"]["header"]
    found = spots(board, "J1")
    for number in range(1, 41):
        along, near = (number - 1) // 2, number % 2 == 0
        wanted = x + 24.13 - 2.54 * along, y + (1.27 if near else -1.27)
        assert math.dist(found[str(number)], wanted) < 0.01
    faces = {
        next(str(one[2]) for one in each(footprint, "property") if one[1] == "Reference"): value(
            footprint, "layer"
        )
        for footprint in each(board, "footprint")
    }
    below = {"J1", "J3", "SW17", "D1", "D2", "D3", "Q1", "R1", "BZ1", "JP1", "JP2"}
    assert {ref for ref, layer in faces.items() if layer == "B.Cu"} == below


def test_keys_display_and_holes_are_where_the_case_expects_them(made: Path) -> None:
    board = parse((made / "board.kicad_pcb").read_text())
    switches = {part.value: part.ref for part in parts() if part.ref.startswith("SW")}
    for key, (x, y) in key_centres().items():
        # Source: Cherry, "MX Series" data sheet: the pins' places from the key's centre.
        found = spots(board, switches[key])
        assert math.dist(found["1"], (x + 2.54, y - 5.08)) < 0.01
        assert math.dist(found["2"], (x - 3.81, y - 2.54)) < 0.01
    # A jumper's A is its first pad, on the left as seen from above.
    for ref in ("JP1", "JP2"):
        assert [x for _, (x, _) in sorted(spots(board, ref).items())] == sorted(
            x for x, _ in spots(board, ref).values()
        )
    x, y = LAYOUT["display"]["header"]
    for number, spot in enumerate(sorted(spots(board, "J2").items())):
        assert math.dist(spot[1], (x + (number - 1.5) * 2.54, y)) < 0.01
    for number, centre in enumerate(holes(), start=1):
        assert math.dist(spots(board, f"H{number}")[""], centre) < 0.01


def test_the_files_for_ordering_are_complete(made: Path) -> None:
    with zipfile.ZipFile(made / build.GERBERS) as pack:
        names = pack.namelist()
        drilled = pack.read("board-NPTH.drl").decode()
    for layer in build.LAYERS.replace("SilkS", "Silkscreen").split(","):
        assert any(layer.replace(".", "_") in name for name in names), layer
    assert {"board-PTH.drl", "board-NPTH.drl"} <= set(names)
    # Three holes for each key without copper, and those for screws.
    assert sum(line.startswith("X") for line in drilled.splitlines()) == 3 * 16 + len(holes())


@pytest.mark.parametrize("name", build.PICTURES)
def test_the_pictures_show_the_current_board(made: Path, name: str) -> None:
    # Shades are scattered by chance. Blurred, two pictures of one board differ by at most 13, those
    # of boards with other legends by more than 30.
    blur = ImageFilter.GaussianBlur(2)
    one, other = (
        Image.open(folder / name).convert("L").filter(blur) for folder in (made, HERE)
    )  # fmt: skip
    assert one.size == other.size
    most = max(
        level for level, count in enumerate(ImageChops.difference(one, other).histogram()) if count
    )
    assert most < 22, "renew it: python -m hw.board.build --renew"


def test_a_broken_track_is_found(made: Path, tool: Kicad) -> None:
    broken = tool.work / "broken"
    broken.mkdir()
    for name in (build.SHEET, build.PROJECT):
        shutil.copy(made / name, broken)
    text = (made / build.BOARD).read_text()
    tracks = re.findall(r"^\t\(segment\n.*?^\t\)\n", text, re.DOTALL | re.MULTILINE)
    longest = max(tracks, key=_length)
    (broken / build.BOARD).write_text(text.replace(longest, ""))
    there = replace(tool, work=broken)
    shutil.copytree(tool.work / "settings", broken / "settings")
    there.run("kicad-cli", "pcb", "drc", "--format", "json", "-o", "drc.json", build.BOARD)
    assert any(one.startswith("unconnected_items:") for one in findings(broken / "drc.json"))


def _length(track: str) -> float:
    """The length of a track in mm."""
    ends = [
        [float(str(one)) for one in next(each(parse(track), end))[1:]] for end in ("start", "end")
    ]
    return math.dist(*ends)


def test_the_soldering_page_lists_every_part(made: Path, tool: Kicad, tmp_path: Path) -> None:
    make_parts_page(tool, made / "board.kicad_pcb", tmp_path)
    page = (tmp_path / "companion-board.html").read_text("utf-8")
    for part in parts():
        assert f'"{part.ref}"' in page or part.ref.startswith("MH"), part.ref
    assert "MIT License" in (tmp_path / "companion-board-licence.txt").read_text("utf-8")
