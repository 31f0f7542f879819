# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Copper on a board whose parts are already placed: tracks, and ground everywhere else."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pcbnew

from hw.board.layout import LAYOUT, Point
from hw.board.route import Cell, Grid, Obstacles, Reach, corners, route

TRACK = 0.3
CLEARANCE = 0.25
VIA, VIA_DRILL = 0.8, 0.4
EDGE = 0.5
SPARE = 0.01
"""An additional clearance of tracks in mm, because the grid's points are not exact."""
PITCH = 0.635
"""The grid's pitch in mm: a quarter of the header's pitch, a thirtieth of that of the keys."""


def at(point: Point) -> Any:
    """Returns KiCad's vector for a point in mm."""
    return pcbnew.VECTOR2I_MM(*point)


def circle(centre: Point, radius: float) -> Callable[[float, float], float]:
    """Returns a function with the distance of a point (x, y) from a circle, in mm; negative
    inside."""
    return lambda x, y: math.hypot(x - centre[0], y - centre[1]) - radius


def box(centre: Point, half: Point) -> Callable[[float, float], float]:
    """Returns a function with the distance of a point (x, y) from a rectangle, in mm. `half`: half
    its width and height."""
    return lambda x, y: math.hypot(
        max(abs(x - centre[0]) - half[0], 0), max(abs(y - centre[1]) - half[1], 0)
    )


def mm(vector: Any) -> Point:
    """Returns a KiCad vector (a point or a size) in mm."""
    return pcbnew.ToMM(vector.x), pcbnew.ToMM(vector.y)


def routing_input(board: Any) -> tuple[Grid, Obstacles, dict[str, list[set[Cell]]]]:
    """Returns the router's input: the grid, the obstacles, and the cells of each net's pads."""
    told, (x, y) = LAYOUT["board"], LAYOUT["pi"]["header"]
    grid = Grid(
        (x % PITCH, y % PITCH), PITCH, int(told["width"] / PITCH), int(told["depth"] / PITCH)
    )
    obstacles, nets = Obstacles(), dict[str, list[set[Cell]]]()
    away = Reach(CLEARANCE + TRACK / 2 + SPARE, CLEARANCE + VIA / 2 + SPARE)
    for one in board.GetFootprints():
        for pad in one.Pads():
            bounds = pad.GetBoundingBox()  # kept, because its parts don't outlive it
            centre = mm(pad.GetPosition())
            half = pcbnew.ToMM(bounds.GetWidth()) / 2, pcbnew.ToMM(bounds.GetHeight()) / 2
            drill = pad.GetDrillSize().x > 0
            layers = (0, 1) if drill else (1,) if pad.IsOnLayer(pcbnew.B_Cu) else (0,)
            round_ = pad.GetShape() == pcbnew.PAD_SHAPE_CIRCLE
            shape = circle(centre, half[0]) if round_ else box(centre, half)
            net = pad.GetNetname()
            near = list(grid.distances(shape, centre, max(half) + away.via))
            obstacles.add(net, near, layers, away)
            # Ground is poured, but the pads of the Pi's header are so close to each other that
            # tracks may cut one off. So they are joined by tracks too.
            if net and (net != "GND" or one.GetReference() == "J1"):
                cells = {(*grid.nearest(*centre), layer) for layer in layers}
                nets.setdefault(net, []).append(cells)
                obstacles.add("", near, layers, Reach(-math.inf, away.via))  # no via in a pad
    width, depth = told["width"], told["depth"]
    board_edge = grid.distances(
        lambda x, y: min(x, y, width - x, depth - y) - EDGE, (0, 0), max(width, depth)
    )
    obstacles.add("", board_edge, (0, 1), Reach(TRACK / 2 + SPARE, VIA / 2 + SPARE))
    return grid, obstacles, {net: pads for net, pads in nets.items() if len(pads) > 1}


def lay_tracks(board: Any) -> None:
    """Routes every net and adds its tracks to the board. Of the ground net, only the pads of the
    Pi's header are routed. Raises NoWayError."""
    grid, obstacles, nets = routing_input(board)
    for net, ways in sorted(route(grid, obstacles, nets).items()):
        for way in ways:
            for start, end in pairwise(corners(way)):
                if start[2] != end[2]:
                    item = pcbnew.PCB_VIA(board)
                    item.SetPosition(at(grid.at(start[:2])))
                    item.SetDrill(pcbnew.FromMM(VIA_DRILL))
                    item.SetWidth(pcbnew.F_Cu, pcbnew.FromMM(VIA))  # the same on every layer
                else:
                    item = pcbnew.PCB_TRACK(board)
                    item.SetStart(at(grid.at(start[:2])))
                    item.SetEnd(at(grid.at(end[:2])))
                    item.SetWidth(pcbnew.FromMM(TRACK))
                    item.SetLayer(pcbnew.B_Cu if start[2] else pcbnew.F_Cu)
                item.SetNet(board.FindNet(net))
                board.Add(item)


def add_ground_zones(board: Any) -> None:
    """Adds a zone of ground on both faces, not yet filled."""
    told = LAYOUT["board"]
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        zone = pcbnew.ZONE(board)
        zone.SetLayer(layer)
        zone.SetNet(board.FindNet("GND"))
        for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)):
            corner = (
                EDGE + x * (told["width"] - 2 * EDGE),
                EDGE + y * (told["depth"] - 2 * EDGE),
            )
            zone.AppendCorner(at(corner), -1)
        zone.SetLocalClearance(pcbnew.FromMM(CLEARANCE))
        zone.SetMinThickness(pcbnew.FromMM(0.25))
        zone.SetThermalReliefGap(pcbnew.FromMM(0.3))
        zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.4))
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
        board.Add(zone)
