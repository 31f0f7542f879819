"""The table companion: a scorekeeper for High Five dominoes and its relatives."""

VERSION = "0.2.0"
"""The same as in pyproject.toml."""
