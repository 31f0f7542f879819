"""Updates of a card: a new system comes as one signed file, is written beside the one that runs,
started once on trial, and kept if the table is well.

A card has two systems, A and B (systemd/image/README.md). Only the one that doesn't run is ever
written; one letter of config.txt decides which one starts, and it changes when the new one has
proved itself.
"""
