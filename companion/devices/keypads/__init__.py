"""Seat keypads on USB ports."""
