"""The link to the seat keypads, the host's side: bytes in, events and bytes out, no I/O."""
