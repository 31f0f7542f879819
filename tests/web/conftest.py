"""Fixtures with pages to visit."""

from collections.abc import Iterator

import pytest

from tests.web.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(open_to_all=False)
    yield site
    site.page.stop()


@pytest.fixture
def lan_site() -> Iterator[Site]:
    site = Site(open_to_all=True)
    yield site
    site.page.stop()
