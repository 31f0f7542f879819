# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Building the box: everything that is drawn, printed or ordered is made from the same files that
the program reads. `python -m hw` makes all of it; the wiring begins in wiring.py, the case in
case_make.py."""
