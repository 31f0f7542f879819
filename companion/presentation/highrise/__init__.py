"""Highrise."""
