"""OLED panels and framebuffers, which show frames."""
