"""The card image: Debian for the box, as one file to write on a card. `make image`."""
