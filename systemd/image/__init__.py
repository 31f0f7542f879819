"""`make image`: builds the card image, which is Debian for the box in one file to write onto a
card."""
