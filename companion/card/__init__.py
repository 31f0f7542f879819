"""A box whose system came as a card image: what people write on the card's FAT partition, the
growth of the record's partition, and what went wrong with either.

`python -m companion.card` is what the image's units run (systemd/image/root): `settings` at each
start, before the record is mounted; `tell` beside the table; `wifi` as long as there is Wi-Fi.
"""
