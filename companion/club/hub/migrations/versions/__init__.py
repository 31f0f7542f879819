"""The versions of the hub's schema; the newest one makes what database.py describes."""
