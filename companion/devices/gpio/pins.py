"""Chooses the pins: those that a setting names, otherwise the kernel's own GPIO, or gpiozero's if
the kernel has none. gpiozero is loaded only if its pins are used."""

import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from companion.devices.gpio.gpio_chip import Kernel, NoChip, System, find_chip
from companion.devices.gpio.kernel_pins import KernelFactory, PinError

_LIBRARIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
        "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
        "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    }
)


def open_pins(choice: str = "auto", system: System | None = None) -> Any:
    """Opens the pins, the kernel's or a pin factory of gpiozero's; the caller closes them.

    `choice`: lgpio, rpigpio, pigpio, kernel, or auto: the kernel if it has the GPIO of a Pi,
    otherwise what gpiozero finds. Raises ChipError, ImportError if the library is missing, or
    gpiozero's errors. `system`: a fake kernel.
    """
    if choice in _LIBRARIES:
        module, name = _LIBRARIES[choice]
        return getattr(import_module(module), name)()
    try:
        return KernelFactory(find_chip(system or Kernel()))
    except NoChip as error:
        if choice == "kernel":
            raise
        return _gpiozeros(error)


def _gpiozeros(none: NoChip) -> Any:
    """The pin factory that gpiozero finds by itself; raises `none` if it finds none."""
    from gpiozero import Device
    from gpiozero.exc import BadPinFactory, PinFactoryFallback

    with warnings.catch_warnings():
        # gpiozero tells at length what it tried; the error says what counts.
        warnings.simplefilter("ignore", PinFactoryFallback)
        try:
            Device().close()  # any device makes gpiozero choose
        except BadPinFactory:
            raise none from None
    factory, Device.pin_factory = Device.pin_factory, None
    return factory


def pin_errors() -> tuple[type[Exception], ...]:
    """The errors that using pins may raise: the system's, and gpiozero's if it is loaded."""
    if "gpiozero" not in sys.modules:
        return OSError, ImportError, PinError
    from gpiozero.exc import GPIOZeroError

    return OSError, ImportError, PinError, GPIOZeroError
