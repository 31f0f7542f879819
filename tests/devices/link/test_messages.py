"""Frames and messages: one table of cases for writer and reader; no damaged frame is ever
believed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.link.messages import (
    FROM_HOST,
    FROM_KEYPAD,
    Message,
    UnreadableError,
    parse,
    unpack,
)
from companion.devices.link.session import (
    CONTENT_MAX,
    FRAME_MAX,
    BadFrame,
    FrameReader,
    crc16,
    encode_frame,
)
from tests.devices.link.vectors import BAD, VECTORS, vectors

Kinds = tuple[type[Message], ...]
SENT = [
    *((data, text, FROM_HOST) for data, text in vectors("host")),
    *((data, text, FROM_KEYPAD) for data, text in vectors("keypad")),
]
STREAMS = [
    *((data, text, FROM_HOST) for data, text in vectors("to-keypad")),
    *((data, text, FROM_KEYPAD) for data, text in vectors("to-host")),
]
PROTOCOL = (VECTORS.parent / "PROTOCOL.md").read_text()


def read(pieces: list[bytes], kinds: Kinds) -> list[str]:
    """The readable form of each message in a stream that comes in these pieces; BAD for what can't
    be read."""
    reader, found = FrameReader(), []
    for piece in pieces:
        for content in reader.feed(piece):
            if content is BadFrame.FRAME:
                found.append(BAD)
                continue
            assert isinstance(content, bytes)
            try:
                message = unpack(content, kinds)
            except UnreadableError:
                found.append(BAD)
            else:
                found += [str(message)] if message else []
    return found


@pytest.mark.parametrize(("data", "told"), list(vectors("crc")))
def test_the_crc_matches_the_standards_check_value(data: bytes, told: str) -> None:
    assert f"{crc16(data):04x}" == told


@pytest.mark.parametrize(("data", "text", "kinds"), SENT, ids=[text for _, text, _ in SENT])
def test_bytes_and_text_decode_to_the_same_message(data: bytes, text: str, kinds: Kinds) -> None:
    assert encode_frame(parse(text, kinds).pack()) == data
    assert read([data], kinds) == [text]


@pytest.mark.parametrize(("data", "told", "kinds"), STREAMS)
def test_a_reader_finds_the_frames_in_the_test_vectors(
    data: bytes, told: str, kinds: Kinds
) -> None:
    expected = [] if told == "-" else told.split(" | ")
    assert read([data], kinds) == expected
    assert read([bytes((byte,)) for byte in data], kinds) == expected


@given(st.data())
def test_frames_are_read_from_pieces_of_any_size(draws: st.DataObject) -> None:
    data, _, kinds = draws.draw(st.sampled_from(STREAMS))
    cuts = sorted(draws.draw(st.lists(st.integers(0, len(data)))))
    pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert read(pieces, kinds) == read([data], kinds)


def test_every_message_type_has_a_test_vector() -> None:
    kinds = {type(parse(text, kinds)) for _, text, kinds in SENT}
    assert kinds == {*FROM_HOST, *FROM_KEYPAD}


@pytest.mark.parametrize(("data", "text", "kinds"), SENT, ids=[text for _, text, _ in SENT])
def test_flipped_bits_and_lost_or_doubled_bytes_are_detected(
    data: bytes, text: str, kinds: Kinds
) -> None:
    """Every flipped bit, lost byte and doubled byte; a doubled flag does no harm."""
    good = "~l\x03"
    changed = [
        data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]
        for at in range(len(data))
        for bit in range(8)
    ]
    changed += [data[:at] + data[at + 1 :] for at in range(len(data))]
    changed += [data[:at] + data[at : at + 1] + data[at:] for at in range(len(data))]
    tail = encode_frame(b"?" + good.encode())
    for one in changed:
        assert set(read([tail, one, tail], kinds)) <= {BAD, text}


@given(st.binary(max_size=400), st.sampled_from(SENT))
def test_at_most_one_frame_is_lost_after_noise(
    rubbish: bytes, sent: tuple[bytes, str, Kinds]
) -> None:
    data, text, kinds = sent
    assert read([rubbish, data, data], kinds)[-1] == text


@given(st.binary(max_size=2000))
def test_noise_is_rejected_and_at_most_one_frame_is_buffered(rubbish: bytes) -> None:
    reader = FrameReader()
    for content in reader.feed(rubbish):
        if isinstance(content, bytes):
            assert encode_frame(content)  # with a right CRC: it may be one by chance
    assert len(reader._content) <= CONTENT_MAX + 2


@given(st.binary(min_size=1, max_size=CONTENT_MAX))
def test_frames_contain_no_control_characters(content: bytes) -> None:
    data = encode_frame(content)
    assert FrameReader().feed(data) == [content]
    assert min(data) >= 0x20
    assert len(data) <= FRAME_MAX
    assert data.count(b"~") == 2


@given(st.binary(min_size=1, max_size=CONTENT_MAX), st.sampled_from([FROM_HOST, FROM_KEYPAD]))
def test_any_content_is_either_unpacked_or_refused(content: bytes, kinds: Kinds) -> None:
    try:
        message = unpack(content, kinds)
    except UnreadableError:
        return
    if message is not None:
        assert content.startswith(message.pack())
        assert parse(str(message), kinds) == message


@pytest.mark.parametrize("content", [b"", b"x" * (CONTENT_MAX + 1)])
def test_oversized_and_empty_contents_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="1 to 64 bytes"):
        encode_frame(content)


@pytest.mark.parametrize(
    "text", ["ack boot=66a1", "ack boot=66 seq=1", "ack boot=66a1 seq=-1", "nod", "light show=red"]
)
def test_text_that_is_not_a_message_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse(text, FROM_HOST)


# ---------------------------------------------------------------- PROTOCOL.md


def test_the_protocol_document_lists_the_messages_of_the_code() -> None:
    rows = re.findall(r"^\| (host|keypad) +\| `(.)`  \| (\w+) +\| (.+?) \|$", PROTOCOL, re.M)
    told = [
        (who, kind.code, kind.word, ", ".join(f"{name} {how.name}" for name, how in kind.layout()))
        for who, kinds in (("host", FROM_HOST), ("keypad", FROM_KEYPAD))
        for kind in kinds
    ]
    assert [(who, ord(code), word, fields) for who, code, word, fields in rows] == told


def test_the_protocol_documents_first_example_is_valid() -> None:
    lines = re.findall(r"^(host|keypad) {2,}(\w+ \w+=.+)$", PROTOCOL, re.M)
    assert len(lines) == 5
    for who, text in lines:
        kinds = FROM_HOST if who == "host" else FROM_KEYPAD
        assert str(parse(text, kinds)) == text
