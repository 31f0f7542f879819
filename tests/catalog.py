"""The rules of every game, for tests that need nothing else of the games."""

from companion.app.catalog import CATALOG

GAMES = CATALOG.rules
