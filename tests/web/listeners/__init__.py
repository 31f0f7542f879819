"""Tests of the programs that listen to the table."""
