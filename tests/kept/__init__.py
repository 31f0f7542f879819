"""Record files as every released format wrote them, and what programs must read from them.

Each folder `format-N` was made by the program of its time (make.py) and is never changed: the
database, its log if rows stood only there, and `expected.json`.
"""
