"""Rigs: the product on real kernels, systemd and interpreters, as near to a Pi as a PC gets.

Each `rig_*.py` is a set of tests that `make rigs` runs; `make test` leaves them out, since they
need root, Debian's packages and minutes. If something that a rig needs is missing, the rig fails
where CI is set, and is skipped elsewhere.
"""
