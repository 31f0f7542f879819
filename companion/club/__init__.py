"""A club: what a box says to its hub, and the hub."""
