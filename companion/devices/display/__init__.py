"""OLED panels and framebuffers: frames out."""
