"""Copies of the record, in folders and on sticks, and games restored from them."""
