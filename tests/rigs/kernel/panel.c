// SPDX-License-Identifier: GPL-2.0-only
/*
 * An I2C bus with an OLED panel on it, for tests: what luma sends to /dev/i2c-N ends up in the
 * memory of a modelled SSD1306 or SH1106 controller, which can be read back.
 *
 * Addressing is what drivers get wrong, so that is modelled: the SSD1306 obeys page and column
 * commands in page mode only, the SH1106 has no other mode and 132 columns.
 *
 * In /sys/kernel/debug/rig_panel:
 *   state  struct state below, taken at one moment
 *   log    every transfer since the last write to this file: struct entry and its bytes
 * Parameters, in /sys/module/panel/parameters, may be changed at any time:
 *   present  0: the panel is gone and acknowledges nothing; it has lost its power and its state
 *   hertz    clock of the bus, which takes nine bits a byte; 0: transfers take no time
 *   stuck_ms every transfer hangs that long and then times out; 0: none does
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/vmalloc.h>

#define ADDRESS 0x3c
#define PAGES 8
#define COLUMNS 132
#define NOISE 0xa5
#define LOG_SIZE (1 << 20)

enum { HORIZONTAL, VERTICAL, PAGE };

/* Little endian and without holes, for a reader in another language. */
struct state {
	u64 last_ns;		/* monotonic time at which the last byte had arrived */
	u64 lit_ns;		/* when it was first switched on, 0: not yet */
	u64 transfers;
	u64 bytes;		/* on the wire, with the address of each transfer */
	u64 errors;		/* transfers that were not acknowledged or hung */
	u8 on, contrast, first_row, mode;
	u8 mirrored, upside_down, inverse, unused;
	u8 memory[PAGES][COLUMNS];
} __packed;

struct entry {
	u64 at_ns;
	u16 length;
} __packed;

static bool sh1106;
module_param(sh1106, bool, 0444);
static int number = 1;
module_param(number, int, 0444);
static unsigned int hertz;
module_param(hertz, uint, 0644);
static unsigned int stuck_ms;
module_param(stuck_ms, uint, 0644);
static bool present = true;

static DEFINE_MUTEX(lock);	/* guards all below */
static struct state state;
static u8 page, column, first_column, last_column, first_page, last_page;
static u8 command[8];
static unsigned int gathered;
static u8 *log_bytes;
static size_t logged;

static unsigned int width(void)
{
	return sh1106 ? COLUMNS : 128;
}

static void power_on(void)
{
	state.on = 0;
	state.contrast = 0x7f;
	state.first_row = 0;
	state.mode = PAGE;
	state.mirrored = 1;
	state.upside_down = 1;
	state.inverse = 0;
	memset(state.memory, NOISE, sizeof(state.memory));
	page = column = first_column = first_page = 0;
	last_column = 127;
	last_page = PAGES - 1;
	gathered = 0;
}

/* How many arguments follow an opcode. */
static unsigned int arguments(u8 opcode)
{
	switch (opcode) {
	case 0x81: case 0xa8: case 0xd3: case 0xd5: case 0xd9: case 0xda: case 0xdb:
		return 1;
	case 0xad:
		return sh1106 ? 1 : 0;
	case 0x20: case 0x8d:
		return sh1106 ? 0 : 1;
	case 0x21: case 0x22: case 0xa3:
		return sh1106 ? 0 : 2;
	case 0x29: case 0x2a:
		return sh1106 ? 0 : 5;
	case 0x26: case 0x27:
		return sh1106 ? 0 : 6;
	}
	return 0;
}

static void obey(const u8 *c)
{
	u8 opcode = c[0];

	if (opcode <= 0x0f) {
		if (state.mode == PAGE)
			column = (column & 0xf0) | opcode;
	} else if (opcode <= 0x1f) {
		if (state.mode == PAGE)
			column = (opcode & 0x0f) << 4 | (column & 0x0f);
	} else if (opcode >= 0xb0 && opcode <= 0xb7) {
		if (state.mode == PAGE)
			page = opcode & 7;
	} else if (opcode >= 0x40 && opcode <= 0x7f) {
		state.first_row = opcode & 63;
	} else if (opcode == 0x81) {
		state.contrast = c[1];
	} else if (opcode == 0xa0 || opcode == 0xa1) {
		state.mirrored = opcode == 0xa0;
	} else if (opcode == 0xc0 || opcode == 0xc8) {
		state.upside_down = opcode == 0xc0;
	} else if (opcode == 0xa6 || opcode == 0xa7) {
		state.inverse = opcode == 0xa7;
	} else if (opcode == 0xae || opcode == 0xaf) {
		state.on = opcode == 0xaf;
		if (state.on && !state.lit_ns)
			state.lit_ns = ktime_get_ns();
	} else if (!sh1106 && opcode == 0x20) {
		state.mode = c[1] & 3;
	} else if (!sh1106 && opcode == 0x21 && state.mode != PAGE) {
		column = first_column = c[1] & 127;
		last_column = c[2] & 127;
	} else if (!sh1106 && opcode == 0x22 && state.mode != PAGE) {
		page = first_page = c[1] & 7;
		last_page = c[2] & 7;
	}
}

static void take_command(u8 byte)
{
	command[gathered++] = byte;
	if (gathered == 1 + arguments(command[0])) {
		gathered = 0;
		obey(command);
	}
}

static bool next_column(void)
{
	bool back = column == last_column;

	column = back ? first_column : column + 1;
	return back;
}

static bool next_page(void)
{
	bool back = page == last_page;

	page = back ? first_page : page + 1;
	return back;
}

static void take_data(u8 byte)
{
	if (column < width())
		state.memory[page][column] = byte;
	if (state.mode == HORIZONTAL) {
		if (next_column())
			next_page();
	} else if (state.mode == VERTICAL) {
		if (next_page())
			next_column();
	} else if (column < width()) {
		column++;
		if (!sh1106 && column == width())
			column = 0;
	}
}

static void note(const struct i2c_msg *msg)
{
	struct entry entry = { .at_ns = state.last_ns, .length = msg->len };

	if (logged + sizeof(entry) + msg->len > LOG_SIZE)
		return;
	memcpy(log_bytes + logged, &entry, sizeof(entry));
	memcpy(log_bytes + logged + sizeof(entry), msg->buf, msg->len);
	logged += sizeof(entry) + msg->len;
}

/* One message: a control byte that says what follows, then the content. */
static void take(const struct i2c_msg *msg)
{
	int i;

	state.last_ns = ktime_get_ns();
	state.transfers++;
	state.bytes += 1 + msg->len;
	note(msg);
	for (i = 1; i < msg->len; i++) {
		if (msg->buf[0] == 0x40)
			take_data(msg->buf[i]);
		else if (msg->buf[0] == 0x00)
			take_command(msg->buf[i]);
	}
}

static int fails(int error)
{
	mutex_lock(&lock);
	state.errors++;
	mutex_unlock(&lock);
	return error;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int count)
{
	unsigned int hangs = READ_ONCE(stuck_ms), speed = READ_ONCE(hertz);
	int i;

	for (i = 0; i < count; i++) {
		if (hangs) {
			msleep(hangs);
			return fails(-ETIMEDOUT);
		}
		if (speed)
			fsleep(DIV_ROUND_UP(9 * 1000000ul * (1 + msgs[i].len), speed));
		if (msgs[i].addr != ADDRESS || (msgs[i].flags & I2C_M_RD) || !READ_ONCE(present))
			return fails(-EREMOTEIO);
		mutex_lock(&lock);
		take(&msgs[i]);
		mutex_unlock(&lock);
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.name = "rig panel",
	.algo = &algorithm,
};

static int set_present(const char *value, const struct kernel_param *param)
{
	int error;

	mutex_lock(&lock);
	error = param_set_bool(value, param);
	if (!error && !present)
		power_on();
	mutex_unlock(&lock);
	return error;
}

static const struct kernel_param_ops present_ops = {
	.set = set_present,
	.get = param_get_bool,
};
module_param_cb(present, &present_ops, &present, 0644);

static ssize_t read_state(struct file *file, char __user *to, size_t size, loff_t *at)
{
	ssize_t got;

	mutex_lock(&lock);
	got = simple_read_from_buffer(to, size, at, &state, sizeof(state));
	mutex_unlock(&lock);
	return got;
}

static ssize_t read_log(struct file *file, char __user *to, size_t size, loff_t *at)
{
	ssize_t got;

	mutex_lock(&lock);
	got = simple_read_from_buffer(to, size, at, log_bytes, logged);
	mutex_unlock(&lock);
	return got;
}

static ssize_t forget_log(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	mutex_lock(&lock);
	logged = 0;
	mutex_unlock(&lock);
	return size;
}

static const struct file_operations state_ops = {
	.owner = THIS_MODULE,
	.read = read_state,
};

static const struct file_operations log_ops = {
	.owner = THIS_MODULE,
	.read = read_log,
	.write = forget_log,
};

static struct dentry *folder;

static int __init panel_init(void)
{
	int error;

	log_bytes = vmalloc(LOG_SIZE);
	if (!log_bytes)
		return -ENOMEM;
	power_on();
	folder = debugfs_create_dir("rig_panel", NULL);
	debugfs_create_file("state", 0400, folder, NULL, &state_ops);
	debugfs_create_file("log", 0600, folder, NULL, &log_ops);
	adapter.nr = number;
	error = i2c_add_numbered_adapter(&adapter);
	if (error) {
		debugfs_remove(folder);
		vfree(log_bytes);
	}
	return error;
}

static void __exit panel_exit(void)
{
	i2c_del_adapter(&adapter);
	debugfs_remove(folder);
	vfree(log_bytes);
}

module_init(panel_init);
module_exit(panel_exit);
MODULE_DESCRIPTION("An I2C bus with a modelled OLED panel, for tests");
MODULE_LICENSE("GPL v2");
