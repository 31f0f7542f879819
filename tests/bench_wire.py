"""Figures of the display's wire: bytes a key press, and how soon after a key the last one is out.

An evening of whole games is played through the real loop, key edges in and a panel that counts out.
Bus time is arithmetic, nine bits a byte on I²C and a start and a stop for each transfer; so is the
time of an fsync. The record lies in memory, so that this machine's disk does not matter.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from luma.oled.device import ssd1306

from companion.console.frame import PAGES, WIDTH, Frame
from companion.devices.debounce import Timing
from companion.devices.glass import Glass
from tests.console.typist import type_keys
