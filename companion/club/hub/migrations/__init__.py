"""The hub's schema, version by version: Alembic's migrations."""
