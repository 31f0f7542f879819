"""The card image: Debian for the box, as one file to write onto a card. `make image`."""
