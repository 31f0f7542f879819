"""A club: the box's side of the connection, and the hub."""
