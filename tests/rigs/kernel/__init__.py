"""The kernel rig's guest: Debian 12 in an emulated PC, with simulated GPIO lines for the keys and a
modelled panel on an I²C bus. `build` makes it, `guest` boots it and speaks with `agent`, which runs
inside; `table` plays on it.
"""
