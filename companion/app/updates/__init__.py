"""Updates of a card. A new system comes as one signed file, is written beside the running one,
started once on trial, and kept if the table works well.

A card has two systems, A and B (systemd/image/README.md). Only the one that isn't running is ever
written. One letter in config.txt selects the system that starts; it is changed once the new system
has passed its trial."""
