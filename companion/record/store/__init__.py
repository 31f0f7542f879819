"""The record on the disk: rows, their hash chain, one writer, many readers."""
