"""All games with all their parts: a new game needs one line here. Commands and tests pass the
catalog to the code that needs it; nothing below this package knows which games exist.

The rules are always loaded. Everything else is loaded at first use, so that the first picture
doesn't wait for screens that aren't shown yet."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

from companion.core.values import dataclass
from companion.games.all_fives import ALL_FIVES
from companion.games.domino import DOMINO
from companion.games.five_up import FIVE_UP
from companion.games.fives_and_threes import FIVES_AND_THREES
from companion.games.game import AnyGame, B, Game
from companion.games.high_five import HIGH_FIVE
from companion.games.high_five_tiles.rules import HighFiveTiles
from companion.games.high_fives.rules import HighFives
from companion.games.highrise.rules import Highrise
from companion.games.line.game import LineGame
from companion.games.line.hand import LineBoard

if TYPE_CHECKING:
    from companion.console.screen import Play
    from companion.games.high_five_tiles.rules import HighFiveTilesBoard
    from companion.games.high_fives.rules import HighFivesBoard
    from companion.games.highrise.rules import HighriseBoard
    from companion.players.statistics import Statistics
    from companion.presentation.game import GamePresentation


@dataclass(frozen=True)
class Bundle(Generic[B]):
    """All the parts of a game: its rules, and functions that create the rest."""

    rules: Game[B]
    make_screens: "Callable[[], Play[B]]"
    make_presentation: "Callable[[], GamePresentation]"
    make_statistics: "Callable[[], Statistics]"

    @cached_property
    def screens(self) -> "Play[B]":
        """The game's screens at the box."""
        return self.make_screens()

    @cached_property
    def presentation(self) -> "GamePresentation":
        """The game's words, its drawing, and the entries that can be keyed in."""
        return self.make_presentation()

    @cached_property
    def statistics(self) -> "Statistics":
        """The definition of the game's statistics for players."""
        return self.make_statistics()


class Catalog(Mapping[str, Bundle[Any]]):
    """All games, by the names that the tally uses, in the order in which they are offered."""

    def __init__(self, *bundles: Bundle[Any]) -> None:
        self._bundles = {bundle.rules.name: bundle for bundle in bundles}
        self.rules: Mapping[str, AnyGame] = {
            name: bundle.rules for name, bundle in self._bundles.items()
        }

    def __getitem__(self, name: str) -> Bundle[Any]:
        return self._bundles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bundles)

    def __len__(self) -> int:
        return len(self._bundles)

    @cached_property
    def statistics(self) -> "Mapping[str, Statistics]":
        """The definition of each game's statistics, by the game's name."""
        return {name: bundle.statistics for name, bundle in self._bundles.items()}


def line_game(rules: LineGame[Any]) -> Bundle[LineBoard]:
    """Returns the bundle of a game with a line of play. Only the rules differ between such
    games."""

    def screens() -> "Play[LineBoard]":
        from companion.console.line.play import LinePlay

        return LinePlay(rules)

    def presentation() -> "GamePresentation":
        from companion.presentation.line.moment import LinePresentation

        return LinePresentation(rules.hand.scoring.of_count)

    def statistics() -> "Statistics":
        from companion.players.counting import line_statistics

        return line_statistics(rules)

    return Bundle(rules, screens, presentation, statistics)


def _high_fives_bundle() -> "Bundle[HighFivesBoard]":
    def screens() -> "Play[HighFivesBoard]":
        from companion.console.high_fives import HighFivesPlay

        return HighFivesPlay()

    def presentation() -> "GamePresentation":
        from companion.presentation.high_fives import HighFivesPresentation

        return HighFivesPresentation()

    def statistics() -> "Statistics":
        from companion.players.counting import HIGH_FIVES

        return HIGH_FIVES

    return Bundle(HighFives(), screens, presentation, statistics)


def _highrise_bundle() -> "Bundle[HighriseBoard]":
    def screens() -> "Play[HighriseBoard]":
        from companion.console.highrise import HighrisePlay

        return HighrisePlay()

    def presentation() -> "GamePresentation":
        from companion.presentation.highrise import HighrisePresentation

        return HighrisePresentation()

    def statistics() -> "Statistics":
        from companion.players.counting import HIGHRISE

        return HIGHRISE

    return Bundle(Highrise(), screens, presentation, statistics)


def _high_five_tiles_bundle() -> "Bundle[HighFiveTilesBoard]":
    def screens() -> "Play[HighFiveTilesBoard]":
        from companion.console.high_five_tiles import HighFiveTilesPlay

        return HighFiveTilesPlay()

    def presentation() -> "GamePresentation":
        from companion.presentation.high_five_tiles import HighFiveTilesPresentation

        return HighFiveTilesPresentation()

    def statistics() -> "Statistics":
        from companion.players.counting import HIGH_FIVE_TILES

        return HIGH_FIVE_TILES

    return Bundle(HighFiveTiles(), screens, presentation, statistics)


CATALOG = Catalog(
    line_game(HIGH_FIVE),
    line_game(FIVE_UP),
    _high_fives_bundle(),
    _highrise_bundle(),
    _high_five_tiles_bundle(),
    line_game(ALL_FIVES),
    line_game(FIVES_AND_THREES),
    line_game(DOMINO),
)
