"""Everything that a person without Linux needs, in one folder: `make release`."""
