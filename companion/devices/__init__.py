"""Thin adapters around gpiozero, luma.core and pyserial, each with a fake for tests."""
