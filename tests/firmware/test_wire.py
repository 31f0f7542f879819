"""The firmware's frames and messages, checked with the vectors that both sides share."""

import pytest

from seat_keypad import messages
from seat_keypad.frames import Reader, Writer
from tests.devices.link.vectors import BAD, vectors

LIGHTS = ("off", "seat", "turn", "pays", "refused", "asleep", "claim", "mismatch")
SOUNDS = ("turn", "refused", "lost")
LETTERS = {"OK": "K", "BACK": "B", "DRAW": "D", "PASS": "P", "BOGUS": "!", "MENU": "M"}


def told(content: bytearray) -> str:
    """Returns the readable form of a message from the host, as the firmware reads it."""
    kind, number = content[0], messages.number
    if kind == messages.HELLO:
        return f"hello protocol={content[1]}.{content[2]} session={content[3:7].hex()}"
    if kind == messages.ACK:
        return f"ack boot={content[1:3].hex()} seq={number(content, 3, 4)}"
    if kind == messages.SEAT:
        return f"seat number={content[1]} colour={content[2:5].hex()}"
    if kind == messages.LIGHT:
        return f"light show={LIGHTS[content[1]]}"
    if kind == messages.BEEP:
        return f"beep sound={SOUNDS[content[1]]}"
    return f"ping token={number(content, 1, 2)}"


def read(data: bytes) -> str:
    """The frames that the firmware finds in a stream, fed byte by byte as on the Pico."""
    reader, found = Reader(), []
    for byte in data:
        bad = reader.bad
        whole = reader.feed(byte)
        if whole and messages.is_known(reader.content):
            if messages.is_readable(reader.content, reader.length):
                found.append(told(reader.content))
            else:
                reader.count_bad()
        found += [BAD] * (reader.bad - bad)
    return " | ".join(found) or "-"


def write(told: str) -> bytes:
    """The bytes that the firmware sends for a message, given in its readable form."""
    name, *words = told.split(" ")
    said = dict(word.split("=") for word in words)
    writer = Writer()
    content = writer.content
    tag = bytes.fromhex(said.get("boot", ""))[-2:]
    if name == "hello":
        assert said["protocol"] in {"1.0", "2.7"}
        can = sum(
            bit
            for bit, word in ((1, "keys"), (2, "rgb"), (4, "buzzer"))
            if word in said["can"].split("+")
        )
        serial, boot = bytes.fromhex(said["serial"]), bytes.fromhex(said["boot"])
        who = messages.Identity(serial, boot, can)
        length = messages.write_hello(
            content,
            bytearray.fromhex(said["session"]),
            who,
            int(said["first"]),
            int(said["queued"]),
            int(said["dropped"]),
        )
        content[1:3] = bytes(map(int, said["protocol"].split(".")))
        content[7:10] = bytes(map(int, said["firmware"].split(".")))
    elif name == "press":
        letter = ord(LETTERS.get(said["key"], said["key"]))
        age, held = int(said["age"].removesuffix("ms")), said["held"] == "1"
        length = messages.write_press(content, tag, int(said["seq"]), letter, held, age)
    elif name == "overflow":
        length = messages.write_overflow(content, tag, int(said["seq"]), int(said["lost"]))
    else:
        show = LIGHTS.index(said["show"])
        queued, seat = int(said["queued"]), int(said["seat"])
        at = messages.write_pong(content, int(said["token"]), tag, queued, seat, show)
        bad, resent, free = int(said["bad"]), int(said["resent"]), int(said["free"])
        length = messages.write_figures(content, at, bad, resent, free)
    assert writer.has_room(length)
    writer.send(length)
    sent = bytearray()
    while writer.waiting:
        sent.append(writer.peek())
        writer.drop_sent()
    return bytes(sent)


@pytest.mark.parametrize(("data", "meaning"), [*vectors("keypad")])
def test_every_message_is_sent_byte_for_byte(data: bytes, meaning: str) -> None:
    assert write(meaning).hex() == data.hex()


@pytest.mark.parametrize(("data", "meaning"), [*vectors("host"), *vectors("to-keypad")])
def test_messages_of_the_host_are_read_despite_damage(data: bytes, meaning: str) -> None:
    assert read(data) == meaning


def test_the_crc_matches_the_vectors() -> None:
    for data, meaning in vectors("crc"):
        if not 0 < len(data) < 65:
            continue
        writer = Writer()
        writer.content[: len(data)] = data
        writer.send(len(data))
        reader, found = Reader(), False
        while writer.waiting:
            found = reader.feed(writer.peek())
            writer.drop_sent()
        crc = reader.content[reader.length : reader.length + 2]
        assert found, data.hex()
        assert int.from_bytes(crc, "little") == int(meaning, 16)


def test_sending_resumes_after_a_full_output_was_emptied() -> None:
    writer = Writer()
    writer.content[:64] = b"\x7e" * 64
    sent = 0
    while writer.has_room(64):
        writer.send(64)
        sent += 1
    assert sent == 7
    reader, found = Reader(), 0
    for _ in range(3):
        while writer.waiting:
            found += reader.feed(writer.peek())
            writer.drop_sent()
        writer.send(64)
    assert found == 7 + 2
    assert reader.bad == 0
