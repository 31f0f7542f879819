"""Thin adapters on gpiozero, luma.oled and pyserial, each with the fake that tests use."""
