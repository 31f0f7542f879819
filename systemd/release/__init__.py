"""What a person without Linux needs, in one folder: `make release`."""
