"""A club's hub: it keeps what boxes push, chain by chain, and shows every table (docs/hub.md)."""
