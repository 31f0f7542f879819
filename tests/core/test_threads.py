"""Names of threads for the kernel, and how often they wake up."""

import ast
import os
from pathlib import Path
from queue import SimpleQueue
from time import sleep

import companion
from companion.core.threads import NamedThread
from tests.waiting import WAIT_S
from tests.wakeups import OURS, apart, switches

ROUNDS = 20


def test_wake_ups_are_counted_by_the_name_of_the_thread() -> None:
    asked, answered = SimpleQueue[bool](), SimpleQueue[bool]()

    def work() -> None:
        while asked.get():
            answered.put(True)

    thread = NamedThread("sleeper", work)
    thread.start()
    for _ in range(2):  # by then it has its name
        asked.put(True)
        assert answered.get(timeout=WAIT_S)
    before = switches(os.getpid())
    assert {"sleeper", "loop"} <= set(before)
    rounds = 0
    while (slept := switches(os.getpid())["sleeper"] - before["sleeper"]) < ROUNDS:
        assert rounds < 100 * ROUNDS, f"asleep {slept} times in {rounds} rounds"
        asked.put(True)
        assert answered.get(timeout=WAIT_S)
        sleep(0.001)  # on a busy machine it is asked before it is asleep, and so stays awake
        rounds += 1
    asked.put(False)
    thread.join(WAIT_S)


def names_of(call: ast.Call) -> set[str]:
    """The thread name given in this call; empty if there is none."""
    made = isinstance(call.func, ast.Name) and call.func.id in ("NamedThread", "PortThread")
    first = call.args[0] if made else None
    return {ast.literal_eval(first)} if isinstance(first, ast.Constant) else set()


def test_our_threads_have_names_and_are_counted_as_ours() -> None:
    named = {"loop"}
    for path in Path(companion.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("Thread", "Timer"), f"{path.name}: use NamedThread"
                named |= names_of(node)
    assert named == {*OURS, "gpio"}
    assert max(map(len, named)) <= 15


def test_threads_of_the_pin_factory_are_counted_separately_from_ours() -> None:
    assert apart({"loop": 0.5, "display": 0.25, "gpio": 1.0, "companion": 2000.0}) == (0.75, 2001.0)
