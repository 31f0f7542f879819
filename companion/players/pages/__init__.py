"""Pages of what was played: players, evenings, games; made beside the table, by a process of its
own (app/past.py).
"""
