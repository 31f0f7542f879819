# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Generates everything that is drawn, printed or ordered for a box, from the files that the program
reads. `python -m hw` makes all of it. The wiring is in wiring.py, the cases are in case_make.py."""
