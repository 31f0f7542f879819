"""Long runs of keys with digests of all that came of them: see README.md here."""
