"""Long sequences of keys, with digests of the box's whole output: see README.md here."""
