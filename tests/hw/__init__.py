"""Tests of what is made for building the box."""
