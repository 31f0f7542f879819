"""Which pin factory gpiozero works with: a setting, and by itself the kernel's own GPIO."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from gpiozero import Device
from gpiozero.exc import BadPinFactory

from companion.devices.gpio_chip import Kernel, NoChip, System, find_chip
from companion.devices.kernel_pins import KernelFactory

_LIBRARIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
        "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
        "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    }
)


def open_pins(choice: str = "auto", system: System | None = None) -> Any:
    """A gpiozero pin factory, to be closed by the caller.

    `choice`: lgpio, rpigpio, pigpio, kernel, or auto: the kernel where it has the GPIO of a Pi, and
    else what gpiozero finds. Raises ChipError, ImportError where the library is missing, or
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
        try:
            Device().close()  # any device makes gpiozero choose
        except BadPinFactory:
            raise error from None
    factory, Device.pin_factory = Device.pin_factory, None
    return factory
