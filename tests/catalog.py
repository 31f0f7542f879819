"""The rules of every game, for tests that need nothing else of it."""

from companion.app.catalog import CATALOG

GAMES = CATALOG.rules
