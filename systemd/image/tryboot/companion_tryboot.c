// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks a Raspberry Pi's firmware to read tryboot.txt in the place of config.txt, at the next start
 * alone. Debian's kernel can't: the argument of `reboot "0 tryboot"` is known to Raspberry Pi's own
 * kernel only. Loading the module asks; it does nothing else, and can be taken out again.
 *
 * Source of the tag and the flag: github.com/raspberrypi/linux,
 * include/soc/bcm2835/raspberrypi-firmware.h.
 */
#include <linux/module.h>
#include <linux/of.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

#define SET_REBOOT_FLAGS 0x00038064
#define TRYBOOT 1

static int __init tryboot_init(void)
{
	struct device_node *node;
	struct rpi_firmware *firmware;
	u32 flags = TRYBOOT;
	int error;

	node = of_find_compatible_node(NULL, NULL, "raspberrypi,bcm2835-firmware");
	if (!node)
		return -ENODEV;
	firmware = rpi_firmware_get(node);
	of_node_put(node);
	if (!firmware)
		return -ENODEV;
	/* An error where the firmware doesn't know the tag: it has not answered it. */
	error = rpi_firmware_property(firmware, SET_REBOOT_FLAGS, &flags, sizeof(flags));
	rpi_firmware_put(firmware);
	return error;
}

static void __exit tryboot_exit(void)
{
}

module_init(tryboot_init);
module_exit(tryboot_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has the firmware try another system once");
