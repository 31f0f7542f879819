"""Copies of the record, on folders and sticks, and games restored from them."""
