"""Runs the reader in the tests' browser, served by the page's own server: it does what read.mjs
does in node, without node."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Final

from PIL import Image

from tests.photos.camera import take
from tests.photos.make import Scene
from tests.waiting import WAIT_S
from tests.web.site import Site

PATIENCE_MS: Final = 1000 * WAIT_S
"""A photo of noise takes seconds, and the machine that runs the tests may be busy."""
READ: Final = """async ([text, patience]) => {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const { toldOf } = await import("/photo/reading.js");
  return toldOf(new Blob([bytes]), patience);
}"""


class Reader:
    """Reads photos in a page of a running table."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab

    def read(self, photo: bytes) -> dict[str, Any]:
        """Returns the reader's result for a photo, in the form that its README describes."""
        found: dict[str, Any] = self.tab.evaluate(READ, [b64encode(photo).decode(), PATIENCE_MS])
        return found

    def scene(self, scene: Scene) -> dict[str, Any]:
        """Returns the reader's result for a photo of that scene."""
        photo, _ = take(scene.placed, scene.look, scene.how, scene.seed)
        return self.read(jpeg(photo, scene.how.jpeg))


@contextmanager
def reader_in(browser: Any) -> Iterator[Reader]:
    """The reader in a browser, as a table's page serves it."""
    site = Site(open_to_all=False)
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{site.url}/drawing.css")
    try:
        yield Reader(tab)
    finally:
        context.close()
        site.page.stop()


def jpeg(photo: Image.Image, quality: int = 88) -> bytes:
    """The photo as the bytes of a JPEG, as a camera writes it."""
    made = BytesIO()
    photo.save(made, "JPEG", quality=quality)
    return made.getvalue()
