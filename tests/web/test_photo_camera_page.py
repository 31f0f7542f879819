"""The camera's live picture on a phone's page, and what a page without one offers. Chromium's fake
camera shows a simulated photo (tests/photos)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.photos.camera import take
from tests.photos.make import clear_photo
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Viewer, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import TOUCH, tap
from tests.web.test_photo_page import GAME, LINE, READ_MS, said
from tests.web.test_small_screens import COVERED
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

SEES = (1600, 1200)
"""The size of the fake camera's picture."""
KEEP_STREAMS = """
const { mediaDevices } = navigator, real = mediaDevices.getUserMedia.bind(mediaDevices);
window.streams = [];
window.tracks = () => streams.flatMap((one) => one.getTracks().map(({ readyState }) => readyState));
mediaDevices.getUserMedia = async (wished) => {
  window.wished = wished;
  streams.push(await real(wished));
  return streams[streams.length - 1];
};
"""
NO_TAKE_PHOTO = "delete window.ImageCapture;"
INSECURE = "Object.defineProperty(window, 'isSecureContext', { value: false });"
DENY = "=deny"
SMALL = ({"width": 360, "height": 560}, {"width": 640, "height": 360})


def fails(name: str) -> str:
    """A script with which the camera fails for this reason."""
    fault = f"new DOMException('', '{name}')"
    return f"navigator.mediaDevices.getUserMedia = () => Promise.reject({fault});"


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A browser whose camera sees all tiles of GAME but the last. It gives the camera to pages
    without asking anybody; with the parameter DENY to none."""
    film = tmp_path_factory.mktemp("camera") / "line.y4m"
    film.write_bytes(in_y4m(photo_of_line()))
    seeing = browser.beside(
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
        f"--use-fake-ui-for-media-stream{getattr(request, 'param', '')}",
    )
    yield seeing
    seeing.close()


def photo_of_line() -> Image.Image:
    scene = clear_photo(LINE[:-1])
    photo, _ = take(scene.placed, scene.look, scene.how, scene.seed)
    return photo.convert("RGB").resize(SEES)


def in_y4m(picture: Image.Image) -> bytes:
    """The picture as a film of five frames a second."""
    width, height = picture.size
    light, *colours = picture.convert("YCbCr").split()
    planes = (light, *(one.resize((width // 2, height // 2)) for one in colours))
    frame = b"FRAME\n" + b"".join(one.tobytes() for one in planes)
    return f"YUV4MPEG2 W{width} H{height} F5:1 Ip A1:1 C420jpeg\n".encode() + 2 * frame


def opened(view: View, *scripts: str, **more: Any) -> Viewer:
    """A phone's page of GAME, after running these scripts on it."""
    viewer = view(GAME, **{**TOUCH, **more})
    for script in (KEEP_STREAMS, *scripts):
        viewer.tab.add_init_script(script)
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    until_taps_count(viewer.tab)
    tap(viewer, "#more-ways summary")
    return viewer


def filmed(viewer: Viewer) -> None:
    """Opens the camera's picture, and waits until it shows."""
    tap(viewer, "#photo-line .photograph")
    viewer.tab.wait_for_selector("#photo .take:enabled", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#photo video:visible", timeout=WAIT_MS)


def until_off(viewer: Viewer) -> None:
    viewer.tab.wait_for_function(
        "() => streams.length && tracks().every((one) => one === 'ended')", timeout=WAIT_MS
    )


@pytest.mark.parametrize("scripts", [(), (NO_TAKE_PHOTO,)], ids=["still", "frame"])
def test_a_photo_is_taken_from_the_live_picture_and_the_camera_goes_off(
    view: View, scripts: tuple[str, ...]
) -> None:
    viewer = opened(view, *scripts)
    filmed(viewer)
    assert viewer.tab.evaluate("wished.video.facingMode.ideal") == "environment"
    assert viewer.tab.evaluate("wished.audio") is False
    tap(viewer, "#photo .take")
    viewer.tab.wait_for_selector('#photo[data-state="compared"]', timeout=READ_MS)
    assert "4 of 5 tiles match the record." in said(viewer)
    until_off(viewer)


def test_a_further_photo_is_taken_from_the_live_picture_too(view: View) -> None:
    viewer = opened(view)
    filmed(viewer)
    tap(viewer, "#photo .take")
    viewer.tab.wait_for_selector('#photo[data-state="compared"]', timeout=READ_MS)
    tap(viewer, '#photo .photograph:has-text("Photograph the rest")')
    viewer.tab.wait_for_selector("#photo .take:enabled", timeout=WAIT_MS)
    tap(viewer, '#photo .acts button:text-is("Back")')
    viewer.tab.wait_for_selector('#photo[data-state="compared"]', timeout=READ_MS)
    until_off(viewer)
    assert viewer.tab.evaluate("streams.length") == 2


def test_a_file_can_be_chosen_instead(view: View, tmp_path: Path) -> None:
    viewer = opened(view)
    filmed(viewer)
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(500))
    with viewer.tab.expect_file_chooser() as chooser:
        tap(viewer, '#photo .photograph:has-text("Choose a photo")')
    chooser.value.set_files(tmp_path / "photo.heic")
    viewer.tab.wait_for_selector('#photo[data-state="refused"]', timeout=READ_MS)
    until_off(viewer)


CLOSED = "document.querySelector('#photo .acts').lastChild.click()"
HIDDEN = "document.getElementById('keyed').hidden = true"
AWAY = """Object.defineProperty(document, "hidden", { value: true, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));"""
UNPLUGGED = "streams[0].getTracks()[0].dispatchEvent(new Event('ended'))"


@pytest.mark.parametrize(
    "how", [CLOSED, HIDDEN, AWAY, UNPLUGGED], ids=["closed", "hidden", "tab", "unplugged"]
)
def test_the_camera_goes_off_with_its_panel_or_tab_or_if_it_is_unplugged(
    view: View, how: str
) -> None:
    viewer = opened(view)
    filmed(viewer)
    assert viewer.tab.evaluate("tracks()") == ["live"]
    viewer.tab.evaluate(how)
    until_off(viewer)
    assert viewer.tab.locator("#photo video").count() == 0


def test_the_camera_can_be_turned_on_again(view: View) -> None:
    viewer = opened(view)
    filmed(viewer)
    viewer.tab.evaluate(AWAY)
    viewer.tab.wait_for_selector("#photo >> text=The camera went off", timeout=WAIT_MS)
    viewer.tab.evaluate("delete document.hidden")
    tap(viewer, '#photo button:text-is("Turn the camera on")')
    viewer.tab.wait_for_selector("#photo video:visible", timeout=WAIT_MS)
    viewer.tab.wait_for_selector('#photo .take:enabled:text-is("Take photo")', timeout=WAIT_MS)
    assert viewer.tab.evaluate("tracks()") == ["ended", "live"]


@pytest.mark.parametrize("browser", [DENY], indirect=True)
def test_without_permission_the_page_says_so_and_offers_the_file_field(view: View) -> None:
    """The browser's own refusal: nobody has given it permission."""
    viewer = opened(view)
    tap(viewer, "#photo-line .photograph")
    viewer.tab.wait_for_selector("#photo >> text=The camera is blocked", timeout=WAIT_MS)
    assert viewer.tab.locator("#photo .take").count() == 0
    assert viewer.tab.get_attribute("#photo input", "capture") == "environment"
    for where in ("#photo .photograph", "#photo-line .photograph"):
        with viewer.tab.expect_file_chooser():
            tap(viewer, where)


@pytest.mark.parametrize(
    "name, line, again",
    [
        ("NotFoundError", "No camera was found.", False),
        ("NotReadableError", "Another program may be using it", True),
        ("AbortError", "Another program may be using it", True),
    ],
)
def test_a_camera_that_is_missing_or_busy_leaves_the_file_field(
    view: View, name: str, line: str, again: bool
) -> None:
    viewer = opened(view, fails(name))
    tap(viewer, "#photo-line .photograph")
    viewer.tab.wait_for_selector(f"#photo >> text={line}", timeout=WAIT_MS)
    assert (viewer.tab.locator("#photo .take").count() == 1) == again
    with viewer.tab.expect_file_chooser():
        tap(viewer, "#photo .photograph")


def test_an_insecure_page_explains_and_opens_the_file_field(view: View) -> None:
    viewer = opened(view, INSECURE)
    assert "needs an encrypted page (https)" in viewer.tab.inner_text("#photo-line")
    with viewer.tab.expect_file_chooser():
        tap(viewer, "#photo-line .photograph")
    assert viewer.tab.evaluate("streams.length") == 0


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_on_small_screens_picture_and_keys_are_seen_together(
    view: View, size: dict[str, int]
) -> None:
    viewer = opened(view, viewport=size)
    filmed(viewer)
    viewer.tab.wait_for_function(
        "() => document.querySelector('#photo video').videoWidth > 0", timeout=WAIT_MS
    )
    viewer.tab.evaluate("document.getElementById('photo').scrollIntoView({ block: 'nearest' })")
    for what in ("video", ".take", ".photograph", ".acts button:last-child"):
        box = viewer.tab.locator(f"#photo {what}").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], what
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], what
    assert viewer.tab.locator("#photo video").bounding_box()["height"] >= 150
    assert viewer.tab.evaluate(COVERED, "#photo button, #photo label") == []
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_live_picture_is_accessible(view: View, scheme: str) -> None:
    viewer = opened(view, color_scheme=scheme)
    filmed(viewer)
    assert violations(viewer.tab) == []
    viewer.tab.evaluate(AWAY)
    viewer.tab.wait_for_selector("#photo >> text=The camera went off", timeout=WAIT_MS)
    assert violations(viewer.tab) == []
