"""Pages of players, evenings and games, made beside the table by another process (app/past.py)."""
