"""The table on a screen at the HDMI port, without a browser: the state is fetched from the page,
drawn, and written into the framebuffer."""
