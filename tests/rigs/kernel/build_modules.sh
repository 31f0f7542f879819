#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Builds the modules in a Debian system with linux-source, headers and compiler: build_modules.sh
# KBUILD-FOLDER. gpio-sim isn't in Debian's kernels, and irq_to_desc isn't there for modules.
set -eu
cd "$1"
set -- /usr/src/linux-source-*.tar.xz
[ $# -eq 1 ] && [ -e "$1" ] || { echo "no single linux-source in /usr/src" >&2; exit 1; }
source=$(basename "$1" .tar.xz)
tar --extract --file "$1" --strip-components=3 --occurrence=1 \
  "$source/drivers/gpio/gpio-sim.c" "$source/drivers/gpio/gpiolib.h"
tar --extract --file "$1" --strip-components=3 --occurrence=1 "$source/kernel/irq/irq_sim.c"
grep -q 'irq_to_desc(irqnum)' irq_sim.c gpio-sim.c || { echo "nothing to patch" >&2; exit 1; }
sed -i 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' irq_sim.c gpio-sim.c
sed -i '/^static int gpio_sim_get(/i #include "contacts.h"' gpio-sim.c
sed -i '/^static int gpio_sim_get(/,/^}/s/!!test_bit(offset, chip->value_map)/gpio_sim_level(chip, offset)/' gpio-sim.c
# The function that reads several lines at once would not ask contacts.h; without it, the kernel
# reads one line after the other.
sed -i '/gc->get_multiple = /d' gpio-sim.c
[ "$(grep -c 'gpio_sim_level(chip, offset)\|#include "contacts.h"' gpio-sim.c)" -eq 2 ]
set -- /lib/modules/*/build
[ $# -eq 1 ] && [ -e "$1" ] || { echo "no single kernel in /lib/modules" >&2; exit 1; }
make -C "$1" M="$PWD" modules
