"""The versions of the hub's schema; with the newest, the tables are those of database.py."""
