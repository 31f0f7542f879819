"""The seat keypad's firmware on CPython: its logic, with pins and time that tests make."""
