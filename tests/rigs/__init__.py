"""Rigs: tests of the program on real kernels, systemd and interpreters, as close to a Pi as
possible on a PC.

Each `rig_*.py` is a set of tests that `make rigs` runs; `make test` leaves them out, since they
need root, Debian's packages and minutes. If something that a rig needs is missing, the rig fails
where CI is set, and is skipped elsewhere.
"""
