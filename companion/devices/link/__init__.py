"""The host's side of the link to the seat keypads, without I/O: bytes in, events and bytes out."""
