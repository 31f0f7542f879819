"""What every room may name: seats, keys, errors, clocks, TOML files."""
