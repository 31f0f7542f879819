"""The table on a screen at the HDMI port, without a browser: its state is fetched from the page,
then drawn and written into the framebuffer."""
