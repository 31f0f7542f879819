"""Modules that every other package may import: seats, keys, errors, clocks, TOML files."""
