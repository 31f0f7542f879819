"""Thin adapters around gpiozero, luma.oled and pyserial, each with a fake for tests."""
