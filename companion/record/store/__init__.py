"""The record on the disk: rows in a hash chain, with one writer and many readers."""
