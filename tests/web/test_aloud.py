"""“Say it aloud”: the browser's own voice says counts and payments, or everything, after one tap
and until another, and answers; a fake voice writes down what it is to say."""

from tests.web.test_browser import WAIT_MS, Viewer
from tests.web.test_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

VOICE = """
  window.said = [];
  const voice = {
    pending: false,
    speak(utterance) { said.push(`${utterance.lang}: ${utterance.text}`); },
    cancel() { said.push("silence"); },
  };
  Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


def with_voice(view: View, voice: str = VOICE) -> Viewer:
    """A page whose browser has that voice from the start."""
    viewer = view(LAYS, viewport=PHONE)
    viewer.tab.add_init_script(voice)
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    return viewer


def said(viewer: Viewer, many: int = 0) -> list[str]:
    """What was said, once there is so much of it: it comes behind the moment."""
    viewer.tab.wait_for_function("(many) => said.length >= many", arg=many, timeout=WAIT_MS)
    found: list[str] = viewer.tab.evaluate("said")
    return found


def enter(viewer: Viewer, box: Viewer, *keys: str) -> None:
    """Keys of the box, and waits for the page to tell what they did."""
    before = viewer.tab.inner_text("#sentence")
    for key in keys:
        box.tab.keyboard.press(key)
    viewer.tab.wait_for_function(
        "(before) => document.querySelector('#sentence').textContent !== before",
        arg=before,
        timeout=WAIT_MS,
    )


def test_one_tap_turns_it_on_and_another_off(view: View) -> None:
    viewer, box = with_voice(view), view(LAYS, path="/box")
    key = viewer.tab.get_by_role("button", name="Say it aloud", pressed=False)
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer) == []
    key.click()
    assert said(viewer) == ["en: count 7"]
    enter(viewer, box, "6", "1", "Enter")
    enter(viewer, box, "d")
    enter(viewer, box, "6", "2", "Enter")
    assert said(viewer, 3)[1:] == ["en: count 8", "en: count 10, Blue pays Red 10"]
    viewer.tab.get_by_role("button", name="Say it aloud", pressed=True).click()
    assert said(viewer)[3:] == ["silence"]
    enter(viewer, box, "d")
    assert len(said(viewer)) == 4


def test_what_is_taken_back_is_not_said_again(view: View) -> None:
    viewer, box = with_voice(view), view(LAYS, path="/box")
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 2) == ["en: count 15, Red pays Blue 15", "en: count 7"]
    enter(viewer, box, "Backspace", "Enter")
    assert len(said(viewer)) == 2


def test_this_phone_alone_remembers_it(view: View) -> None:
    viewer = with_voice(view)
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    viewer.tab.reload()
    viewer.tab.get_by_role("button", name="Say it aloud", pressed=True).wait_for(timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    assert said(viewer) == []  # what is there already is no news
    other = with_voice(view)
    other.tab.get_by_role("button", name="Say it aloud", pressed=False).wait_for(timeout=WAIT_MS)


def test_it_says_everything_if_that_is_chosen_and_remembers_it(view: View) -> None:
    viewer, box = with_voice(view), view(LAYS, path="/box")
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    viewer.tab.get_by_role("combobox", name="What is said aloud").select_option("everything")
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 2)[1] == "en: Red lays 6-4, count 7, Blue's turn"
    viewer.tab.reload()
    chosen = viewer.tab.get_by_role("combobox", name="What is said aloud")
    chosen.wait_for(timeout=WAIT_MS)
    assert chosen.input_value() == "everything"


def test_it_says_where_the_table_stands_when_it_is_asked(view: View) -> None:
    viewer = with_voice(view)
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    answer = {
        "Say the scores": "en: Red: 0, Blue: 15",
        "Say the last lay": "en: Blue lays 6-3",
    }
    for name, words in answer.items():
        viewer.tab.get_by_role("button", name=name).click()
        assert said(viewer)[-1] == words
    lie = viewer.tab.get_by_role("combobox", name="Say how many have …")
    lie.select_option("6")
    assert said(viewer)[-1] == "en: 2 tiles with 6 are on the table"
    assert lie.input_value() == ""


def test_its_keys_come_only_once_it_is_on(view: View) -> None:
    viewer = with_voice(view)
    loaded = "performance.getEntriesByType('resource').some(({name}) => name.endsWith('voice.js'))"
    assert not viewer.tab.evaluate(loaded)
    viewer.tab.get_by_role("button", name="Say it aloud").click()
    viewer.tab.wait_for_selector("#aloud-more select", timeout=WAIT_MS)
    assert viewer.tab.evaluate(loaded)


def test_a_browser_without_a_voice_offers_nothing(view: View) -> None:
    silent = 'Object.defineProperty(window, "speechSynthesis", { value: undefined });'
    viewer = with_voice(view, silent)
    assert viewer.tab.get_by_role("button", name="Say it aloud").count() == 0
