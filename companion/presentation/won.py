"""What pages show of a game that is over: the race, the turn that scored most, and the games
won."""

from collections.abc import Mapping
from dataclasses import replace

from companion.core.values import Json
from companion.presentation.drawing.race import race_json
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Describer, Moment
from companion.presentation.sayings import in_words


def win_json(
    moment: Moment, wins: Mapping[str, int], games: int, language: Language = ENGLISH
) -> Json:
    """What people see of a game that is over, as JSON; empty while it goes on. `wins`: for each
    player of the evening the number of games won; `games`: the number of games, this one
    included."""
    journal = moment.journal
    if journal is None or not journal.state.finished:
        return {}
    race = race_json(journal, language)
    order = sorted(wins.items(), key=lambda one: -one[1])
    return {
        "drawing": race["drawing"],
        "best": _best(moment),
        "evening": [{"shown": in_words(name), "won": won} for name, won in order],
        "games": games,
    }


def _best(moment: Moment) -> Json | None:
    """The turn that scored most, the first of several; None if no turn scored."""
    journal = moment.journal
    assert journal is not None, "a game is over"
    scored = [step for step in journal.newest_first() if step[2].effect.turn is not None]
    best = max(scored, key=lambda step: (step[2].effect.points, -step[0]), default=None)
    if best is None or best[2].effect.points <= 0:
        return None
    describer = Describer(replace(moment, newest=None), journal, journal.state)
    entry = describer.entry(*best)
    return {name: entry[name] for name in ("at", "hand", "points", "said", "why")}
