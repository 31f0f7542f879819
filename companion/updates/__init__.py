"""Updates of a card: a new system comes as one signed file, is written beside the one that runs,
started once on trial, and kept where the table is well.

A card has two systems, A and B (systemd/image/README.md). Only the other one is ever written; which
one starts is one letter of config.txt, changed when the new one has proved itself.
"""
