"""“Say it aloud”: after one tap and until another, the browser's own voice says counts and
payments, or everything, and answers. In these tests a fake voice records what it should say. A
browser without a voice plays the box's clips, which a fake player records.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.devices.voice import Clip, Clips, wav_bytes
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

VOICE = """
  window.said = [];
  const voice = {
    pending: false,
    getVoices: () => [{ lang: document.documentElement.lang }],
    speak(utterance) { said.push(`${utterance.lang}: ${utterance.text}`); },
    cancel() { said.push("silence"); },
  };
  Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


def with_voice(view: View, voice: str = VOICE) -> Viewer:
    """A page whose browser has this fake voice from the start."""
    viewer = view(LAYS, viewport=PHONE)
    viewer.tab.add_init_script(voice)
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    return viewer


def speaking(view: View) -> Viewer:
    """A page with a voice, which is switched on."""
    viewer = with_voice(view)
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    return viewer


def said(viewer: Viewer, many: int = 0) -> list[str]:
    """All texts spoken, once there are at least this many: they come later than the moment does."""
    viewer.tab.wait_for_function("(many) => said.length >= many", arg=many, timeout=WAIT_MS)
    found: list[str] = viewer.tab.evaluate("said")
    return found


def enter(viewer: Viewer, box: Viewer, *keys: str) -> None:
    """Presses keys of the box, and waits for the page to show their effect."""
    before = viewer.tab.inner_text("#sentence")
    for key in keys:
        box.tab.keyboard.press(key)
    viewer.tab.wait_for_function(
        "(before) => document.querySelector('#sentence').textContent !== before",
        arg=before,
        timeout=WAIT_MS,
    )


def test_one_tap_turns_the_voice_on_and_another_off(view: View) -> None:
    viewer, box = with_voice(view), view(LAYS, path="/box")
    key = viewer.tab.get_by_role("button", name="Say it aloud", pressed=False)
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer) == []
    key.click()
    assert said(viewer) == ["en: count 7"]
    enter(viewer, box, "6", "1", "Enter")
    enter(viewer, box, "d")
    enter(viewer, box, "6", "2", "Enter")
    assert said(viewer, 3)[1:] == ["en: count 8", "en: Blue pays Red 10"]
    viewer.tab.get_by_role("button", name="Say it aloud", pressed=True).click()
    assert said(viewer)[3:] == ["silence"]
    enter(viewer, box, "d")
    assert len(said(viewer)) == 4


def test_an_entry_that_was_taken_back_is_not_spoken_again(view: View) -> None:
    viewer, box = speaking(view), view(LAYS, path="/box")
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 2) == ["en: Red pays Blue 15", "en: count 7"]
    enter(viewer, box, "Backspace", "Enter")
    assert len(said(viewer)) == 2


def test_only_this_phone_remembers_the_setting(view: View) -> None:
    viewer = speaking(view)
    viewer.tab.reload()
    viewer.tab.get_by_role("button", name="Say it aloud", pressed=True).wait_for(timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    assert said(viewer) == []  # what is there already is no news
    other = with_voice(view)
    other.tab.get_by_role("button", name="Say it aloud", pressed=False).wait_for(timeout=WAIT_MS)


def test_a_key_or_a_tap_stops_what_is_being_said(view: View) -> None:
    viewer = speaking(view)
    for may_use_surface in ("true", "false"):
        viewer.tab.evaluate(f"speechSynthesis.speaking = {may_use_surface}")
        viewer.tab.keyboard.press("Shift")
        viewer.tab.mouse.click(2, 2)
    assert said(viewer)[-3:] == ["en: Red pays Blue 15", "silence", "silence"]


def test_saying_everything_can_be_chosen_and_is_remembered(view: View) -> None:
    viewer, box = speaking(view), view(LAYS, path="/box")
    viewer.tab.get_by_role("combobox", name="How much is said aloud").select_option("everything")
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 2)[1] == "en: Red, six-four: 7"
    viewer.tab.reload()
    chosen = viewer.tab.get_by_role("combobox", name="How much is said aloud")
    chosen.wait_for(timeout=WAIT_MS)
    assert chosen.input_value() == "everything"


def test_the_voice_says_the_state_of_the_table_on_request(view: View) -> None:
    viewer = speaking(view)
    answer = {
        "Say the scores": "en: Red: 0, Blue: 15",
        "Say the last play": "en: Blue lays six-three",
    }
    for name, words in answer.items():
        viewer.tab.get_by_role("button", name=name).click()
        assert said(viewer)[-1] == words
    lie = viewer.tab.get_by_role("combobox", name="Say how many have …")
    lie.select_option("6")
    assert said(viewer)[-1] == "en: 2 tiles with 6 are on the table"
    assert lie.input_value() == ""


def test_the_voice_says_the_ends_and_the_count_on_request(view: View) -> None:
    viewer, box = speaking(view), view(LAYS, path="/box")
    ends = viewer.tab.get_by_role("button", name="Say the ends")
    ends.click()
    assert said(viewer)[-1] == "en: left 3, right 6; count 15"
    enter(viewer, box, "6", "4", "Enter")
    ends.click()
    assert said(viewer)[-1] == "en: left 3, right 4, up 6, down 6; count 7"


def test_the_voice_says_what_was_missed_on_request(view: View) -> None:
    """A page without a seat says everything."""
    viewer, box = speaking(view), view(LAYS, path="/box")
    missed = viewer.tab.get_by_role("button", name="Say what I missed")
    missed.click()
    told = "en: A hand is dealt, Red lays double six, Blue lays six-three, Red pays Blue 15"
    assert said(viewer)[-1] == told
    enter(viewer, box, "6", "4", "Enter")
    missed.click()
    assert said(viewer)[-1] == f"{told}, Red lays six-four"


def test_the_voice_keys_appear_only_once_it_is_on(view: View) -> None:
    viewer = with_voice(view)
    loaded = (
        "performance.getEntriesByType('resource')"
        ".some(({name}) => name.endsWith('voice_choices.js'))"
    )
    assert not viewer.tab.evaluate(loaded)
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    viewer.tab.wait_for_selector("#aloud-more select", timeout=WAIT_MS)
    assert viewer.tab.evaluate(loaded)


SILENT = """
  Object.defineProperty(window, "speechSynthesis", { value: undefined });
  window.said = [];
  addEventListener("pointerdown", () => { window.tapped = true; }, { capture: true });
  const real = window.fetch;
  window.fetch = async (address, more) => {
    const answer = await real(address, more);
    if (/^.clips.en./.test(address) && answer.ok) {
      const read = answer.arrayBuffer.bind(answer);
      answer.arrayBuffer = async () =>
        Object.assign(await read(), { name: decodeURIComponent(address.split("/")[3]) });
    }
    return answer;
  };
  window.AudioContext = class {
    constructor() { this.state = "suspended"; this.currentTime = 0; }
    async resume() { if (window.tapped) this.state = "running"; }
    decodeAudioData(data, done) { done({ duration: 0, name: data.name, size: data.byteLength }); }
    createBufferSource() {
      return {
        connect() {},
        start() { said.push(this.buffer.name); setTimeout(() => this.onended && this.onended()); },
        stop() {},
      };
    }
  };
"""
"""Makes a browser have no voice; its player records what it plays."""
MISSING = "Failed to load resource: the server responded with a status of 404 (Not Found)"


@pytest.fixture
def clips(tmp_path: Path) -> Callable[[str], Clips]:
    """A box with a few recorded clips, and no way to make others."""
    folder = tmp_path / "recorded" / "en"
    folder.mkdir(parents=True)
    for name in ("red", "blue", "pays", "count", "six", "one", "tiles_with", "are_on_the_table"):
        (folder / f"{name}.wav").write_bytes(wav_bytes(Clip(8000, bytes(800))))
    for number in range(16):
        (folder / f"{number}.wav").write_bytes(wav_bytes(Clip(8000, bytes(800))))
    return lambda name: Clips(name, tmp_path / "made", tmp_path / "recorded", "no-espeak")


def without_voice(view: View, clips: Any) -> Viewer:
    """A phone's page in a browser that has no voice."""
    viewer = view(LAYS, viewport=PHONE, clips=clips)
    viewer.tab.add_init_script(SILENT)
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    return viewer


def test_a_browser_without_a_voice_plays_the_clips_of_the_box(
    view: View, clips: Callable[[str], Clips]
) -> None:
    viewer = without_voice(view, clips)
    box = view(LAYS, path="/box")
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    assert said(viewer, 4) == ["red.wav", "pays.wav", "blue.wav", "15.wav"]
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 6)[4:] == ["count.wav", "7.wav"]
    viewer.tab.get_by_role("combobox", name="Say how many have …").select_option("6")
    assert said(viewer, 10)[6:] == ["3.wav", "tiles_with.wav", "6.wav", "are_on_the_table.wav"]
    viewer.tab.get_by_role("combobox", name="How much is said aloud").select_option("everything")
    enter(viewer, box, "d")
    enter(viewer, box, "6", "1", "Enter")
    assert "six.wav" in said(viewer, 13)[10:]
    assert {*viewer.complaints} == {MISSING}  # the box has no “draws”
    viewer.complaints.clear()


def test_without_any_voice_a_line_says_so(view: View) -> None:
    viewer = without_voice(view, None)
    line = viewer.tab.get_by_text("No voice: neither this browser nor the box has one")
    line.wait_for(timeout=WAIT_MS)
    assert viewer.tab.get_by_role("button", name="Say it aloud").count() == 0


def test_a_browser_whose_voices_speak_other_languages_counts_as_voiceless(view: View) -> None:
    viewer = with_voice(view, VOICE.replace("document.documentElement.lang", '"de-DE"'))
    viewer.tab.get_by_text("No voice: neither").wait_for(timeout=WAIT_MS)
    assert viewer.tab.get_by_role("button", name="Say it aloud").count() == 0
