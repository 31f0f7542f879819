# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The circuit board: sixteen keys, display, buzzer and power key on a Raspberry Pi. README.md
explains its design; build.py makes all of it."""
