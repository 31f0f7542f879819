"""Phones in separate threads, all at once, while the loop runs: as on a real evening."""

from collections import Counter
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from companion.core.seats import Seats
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from companion.table.events import (
    Answer,
    Command,
    GameMovedOn,
    Inquiry,
    Proposal,
    ProposalAnswer,
    ProposalCounted,
    ProposalId,
    Request,
)
from companion.table.loop import Outputs, Table
from companion.table.snapshot import Snapshot
from tests.sample_games import RACE_GAMES, RACE_RULES
from tests.waiting import WAIT_S

PHONES, ENTRIES = 4, 60


class Player(Thread):
    """A phone that enters for the seat to move until the game has ENTRIES entries, and inquires
    once about each of its proposals."""

    def __init__(self, name: str, table: Table, seen: list[Snapshot]) -> None:
        super().__init__(name=name)
        self._table, self._seen = table, seen
        self._answers: SimpleQueue[ProposalAnswer] = SimpleQueue()
        self.told: list[tuple[Proposal, Answer]] = []
        self.doubted: list[Answer] = []

    def run(self) -> None:
        number = 0
        while (seen := self._seen[-1]).journal and seen.journal.length < ENTRIES:
            number += 1
            identity = ProposalId(self.name, seen.run, number)
            text = f"{seen.journal.state.to_move} scores 1"
            proposal = Proposal(identity, None, seen.game or 0, seen.tip, text)
            self.told.append((proposal, self._asked(proposal)))
            self.doubted.append(self._asked(Inquiry(identity)))

    def _asked(self, what: Proposal | Inquiry) -> Answer:
        self._table.events.put(Request(what, self._answers.put))
        answered = self._answers.get(timeout=WAIT_S)
        assert answered.identity == what.identity
        assert self._answers.empty(), "it was answered twice"
        return answered.answer


def test_all_phones_agree_on_the_author_of_each_entry(tmp_path: Path) -> None:
    seen: list[Snapshot] = []
    with Store.open(tmp_path / "record.db", RACE_RULES) as store:
        store.keep(1, GameOpened("race", Seats.of("Red", "Blue"), {}))
        table = Table(store, RACE_GAMES, Outputs(send_snapshot=seen.append), lambda: 0.0)
        table.show()
        players = [Player(f"phone-{number}", table, seen) for number in range(PHONES)]

        def wait_for_all() -> None:
            for player in players:
                player.join()
            table.events.put(Command.STOP)

        waiter = Thread(target=wait_for_all)
        for thread in (*players, waiter):
            thread.start()
        table.run()
        waiter.join()
        rows = {kept.seq: kept for kept in store.rows(1) if isinstance(kept.row, Step)}
    told = [one for player in players for one in player.told]
    counted = {
        answer.row: proposal for proposal, answer in told if isinstance(answer, ProposalCounted)
    }
    assert counted.keys() == rows.keys()
    assert {rows[row].source for row in rows} == {str(one.identity) for one in counted.values()}
    assert max(Counter(one.tip for one in counted.values()).values()) == 1
    assert all(isinstance(answer, ProposalCounted | GameMovedOn) for _, answer in told)
    for player in players:
        assert player.doubted == [answer for _, answer in player.told]
