"""The events that seasons count: the hub's own and, at a federation's hub, those of its clubs, from
the rows that their hubs have pushed on.

Within a club an id is one person at all events, under the newest name, and so are names that were
merged. Players of two clubs are one person only if both clubs state it (people.py).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from companion.club.hub.event_desk import EventReader
from companion.club.hub.hub_chain import ClubChain
from companion.club.hub.members import boxes_shown, clubs_shown
from companion.club.hub.people import ClubPerson, PersonNames, combine_people, people_of_club
from companion.club.hub.store import HubStore
from companion.core.seats import display_name
from companion.core.values import Json, dataclass
from companion.core.words import composed
from companion.events.event import ClubEvent, EventError
from companion.events.reading import check_once
from companion.events.season import EventRef, Season, SeasonEvent
from companion.events.standings import Standing
from companion.record.people.people import People

OWN: Final = ""
"""The club in an EventRef to an event of the hub's own club."""


@dataclass(frozen=True, slots=True)
class CountedSeason:
    """A season with its events that have players. `names`: those of all players but the hidden
    ones, by their keys in SeasonEvent; `clubs`: the names of the clubs whose events it counts;
    `unread`: the events that this hub doesn't have or can't read, each with its club's name."""

    season: Season
    events: Mapping[EventRef, SeasonEvent]
    names: Mapping[str, str]
    clubs: tuple[str, ...]
    unread: tuple[tuple[int, str], ...]


class SeasonEvents:
    """Reads the events of seasons. `people_at`: the people who are renamed or hidden at a box."""

    def __init__(self, store: HubStore, people_at: Callable[[str], People]) -> None:
        self._store, self._people_at = store, people_at
        self._readers = dict[str, EventReader]()

    def check(self, season: Season) -> None:
        """Raises EventError if the season names a club or an event that this hub doesn't have, or a
        division names an event twice."""
        with self._store.database.reading() as db:
            names = self._club_names(db)
        for division in season.divisions:
            found = []
            for ref in (*division.events, *division.matches):
                club = _find_club(names, ref)
                self._reader(club).event(ref.number)
                found.append(f"{ref.number} ({names.name_of_club(club)})")
            check_once(division.name, found)

    def of_other_clubs(self) -> list[Json]:
        """The other clubs of the federation, each with its events, the newest first."""
        with self._store.database.reading() as db:
            names = self._club_names(db)
        return [
            {"club": club, "name": names.name_of_club(club), "events": self._events_json(club)}
            for club in names.others
        ]

    def _events_json(self, club: str) -> list[Json]:
        events = self._reader(club).events()
        return [{"event": one.number, "name": one.name} for one in events]

    def count(self, seasons: Iterable[Season]) -> list[CountedSeason]:
        """Returns the seasons, each with its events as they are now."""
        with self._store.database.reading() as db:
            names = self._club_names(db)
            people = self._people(db, names)
        return [self._count(season, names, people) for season in seasons]

    def _count(self, season: Season, names: PersonNames, people: "_People") -> CountedSeason:
        found = dict[EventRef, tuple[str, ClubEvent, Sequence[Standing]]]()
        unread = list[tuple[int, str]]()
        for ref in season.events:
            club_name = ref.club
            try:
                club = _find_club(names, ref)
                club_name = names.name_of_club(club)
                stored = self._reader(club).event(ref.number)
                if stored.course.text["players"]:
                    found[ref] = club, stored.event, stored.standings
            except EventError:
                unread.append((ref.number, club_name))
        clubs = {club: names.name_of_club(club) for club, *_ in found.values()}
        if {*clubs} <= {self._store.club}:
            clubs = dict.fromkeys(clubs, "")
        in_order = sorted(found.items(), key=lambda one: one[0].number)
        keys, called = people.keys([(club, event) for _, (club, event, _) in in_order])
        return CountedSeason(
            season,
            {
                ref: SeasonEvent(event, rows, clubs[club], keys[club])
                for ref, (club, event, rows) in found.items()
            },
            called,
            tuple(sorted(filter(None, clubs.values()), key=str.casefold)),
            tuple(unread),
        )

    def _club_names(self, db: Connection) -> PersonNames:
        return PersonNames(db, self._store.club, clubs_shown(db, self._store.club))

    def _reader(self, club: str) -> EventReader:
        if club not in self._readers:
            self._readers[club] = EventReader(self._store.database, ClubChain(club))
        return self._readers[club]

    def _people(self, db: Connection, names: PersonNames) -> "_People":
        own = self._store.club
        found = {club: people_of_club(db, club) for club in (own, *names.others)}
        for box in boxes_shown(db, own):
            found[box.club] = combine_people(self._people_at(box.box), found[box.club])
        return _People(found, names.same_people(db))


def _find_club(names: PersonNames, ref: EventRef) -> str:
    club = names.own if ref.club == OWN else names.find_club(ref.club)
    if club is None:
        raise EventError("there is no club {club} here", club=ref.club)
    return club


class _People:
    """Decides which players are one person. `people`: the changes of names in each club; `same`:
    the pairs of people whom two clubs state to be one."""

    def __init__(
        self, people: Mapping[str, People], same: Iterable[tuple[ClubPerson, ClubPerson]]
    ) -> None:
        self._people = people
        self._joined = dict[ClubPerson, ClubPerson]()
        for one, other in same:
            a, b = self._person(*one), self._person(*other)
            if a != b and not self._is_hidden(a) and not self._is_hidden(b):
                self._joined[b] = a

    def _person(self, club: str, name: str) -> ClubPerson:
        found = club, self._people[club].name_of(name)
        while found in self._joined:
            found = self._joined[found]
        return found

    def _is_hidden(self, person: ClubPerson) -> bool:
        club, name = person
        return name in self._people[club].hidden

    def keys(
        self, events: Iterable[tuple[str, ClubEvent]]
    ) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
        """Returns, for each club, the keys of the players of its `events` by their ids; and, by
        key, the names of all players but the hidden ones. `events` has each club's newest event
        last. Two players of one event are never one person."""
        events = [*events]
        called = {
            (club, one.id): composed("_".join(one.name.split()))
            for club, event in events
            for one in event.players
        }
        persons = {(club, who): self._person(club, name) for (club, who), name in called.items()}
        together = set[ClubPerson]()
        for club, event in events:
            here = Counter(persons[club, one.id] for one in event.players)
            together |= {person for person, times in here.items() if times > 1}
        keys, names = dict[str, dict[str, str]](), dict[str, str]()
        for (club, who), person in persons.items():
            apart = person in together
            key = f"{club} #{who}" if apart else " ".join(person)
            keys.setdefault(club, {})[who] = key
            if not self._is_hidden(person):
                names.setdefault(key, display_name(called[club, who] if apart else person[1]))
        return keys, names
