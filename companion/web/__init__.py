"""The virtual box: the table in a browser."""
