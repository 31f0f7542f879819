"""The versions of the hub's schema. The newest one has the tables that database.py describes."""
