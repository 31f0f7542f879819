"""A club's hub, which stores the rows that boxes push and shows every table (docs/hub.md)."""
