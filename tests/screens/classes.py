"""The classes of screens that the program has, each of which a scene must show."""

from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from companion import console
from companion.console.high_fives import KeyedPoints, KeyedTiles
from companion.console.in_play import AskWhetherOut, KeyedHolding, NextDeal, PlayScreen
from companion.console.line.bogus_calls import CallScreen, ClaimScreen
from companion.console.lists import ItemList, ListScreen, PagedScreen, PagedText
from companion.console.screen import DigitScreen, RefusingScreen, Screen
from companion.console.screens.changes import ChangeScreen
from companion.console.screens.confirm import YesOrNo

BASES = {
    base.__name__
    for base in (
        Screen,
        RefusingScreen,
        DigitScreen,
        PlayScreen,
        NextDeal,
        AskWhetherOut,
        ClaimScreen,
        KeyedHolding,
        KeyedPoints,
        KeyedTiles,
        PagedText,
        PagedScreen,
        ListScreen,
        ItemList,
        ChangeScreen,
        CallScreen,
        YesOrNo,
    )
}
"""Base classes of screens, which are never shown by themselves."""


def every_screen(besides: tuple[str, ...] = ()) -> set[str]:
    """The names of all of the program's classes of screens, except those in the packages
    and modules `besides`, or named there. Loads every module of the console, so that no class is
    missed."""
    for module in walk_packages(console.__path__, f"{console.__name__}."):
        import_module(module.name)

    def below(kind: type[Screen[Any]]) -> set[type[Screen[Any]]]:
        return {kind}.union(*(below(sub) for sub in kind.__subclasses__()))

    return {
        kind.__name__
        for kind in below(Screen)
        if kind.__module__.startswith("companion.")
        and not f"{kind.__module__}.{kind.__name__}".startswith(besides)
        and kind.__name__ not in BASES
    }
