"""Record files as every released format wrote them, and what they come to.

A folder `format-N` for each, made by the program of its time (make.py) and never changed again: the
database, its log where rows were in it alone, and `expected.json`.
"""
