/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contacts between simulated lines, as a matrix keypad has them: build_modules.sh puts this into
 * gpio-sim.c, before gpio_sim_get, which then asks for the level here.
 *
 * A contact is row << 8 | column; 0 is none. While it is closed, the column is low if its row is
 * driven low, and for RISE_NS after that, as its pull-up has to charge the wire; otherwise it is
 * high. Pulling the column makes the edge at the moment when the contact closes or opens; edges
 * that scanning itself makes are not simulated.
 */
#define RISE_NS 16000

static u64 row_low_at[64];
static int contacts[16];
static unsigned int contact_count;
module_param_array(contacts, int, &contact_count, 0644);

static int gpio_sim_level(struct gpio_sim_chip *chip, unsigned int offset)
{
	bool closed = false, low = false;
	unsigned int i;

	for (i = 0; i < contact_count; i++) {
		unsigned int row = contacts[i] >> 8, column = contacts[i] & 0xff;

		if (!contacts[i] || column != offset)
			continue;
		closed = true;
		if (!test_bit(row, chip->direction_map) && !test_bit(row, chip->value_map)) {
			low = true;
			row_low_at[row] = ktime_get_ns();
		}
		low |= ktime_get_ns() - row_low_at[row] < RISE_NS;
	}
	return closed ? !low : !!test_bit(offset, chip->value_map);
}
