"""A box's side of a club's hub: its key, joining, and pushing its rows (docs/hub.md)."""
