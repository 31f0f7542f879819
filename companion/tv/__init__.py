"""The table on a screen that hangs on HDMI, without a browser: fetched from the page, drawn,
written into the framebuffer."""
