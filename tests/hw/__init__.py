"""Tests of everything that is made for building the box."""
