"""The seat keypad's firmware on CPython: its logic, with pins and time that are made by tests."""
