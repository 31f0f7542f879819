"""A box whose system is a card image: the files that people write on the card's FAT partition, the
growth of the record's partition, and errors in either.

The image's units run `python -m companion.card` (systemd/image/root): `settings` at each start,
before the record is mounted; `tell` once the table runs, to show mistakes; `wifi` as long as there
is Wi-Fi."""
