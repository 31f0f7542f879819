"""A club: a box's side of its hub, and the hub."""
