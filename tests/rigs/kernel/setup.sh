#!/bin/sh
# Runs in the guest, before anything needs them: makes a simulated GPIO chip of a Pi, or the panel's
# bus.
# setup.sh gpio | setup.sh panel [PARAMETER=VALUE ...]
set -eu
modules=/rig/modules
case "$1" in
gpio)
  modprobe -a evdev uinput
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  insmod "$modules/gpio-sim-oot.ko"
  bank=/sys/kernel/config/gpio-sim/pi/bank0
  mkdir -p "$bank"
  echo 28 >"$bank/num_lines"
  echo pinctrl-bcm2711 >"$bank/label"
  echo 1 >"$bank/../live"
  ;;
panel)
  shift
  modprobe i2c-dev
  [ ! -e /sys/module/panel ] || rmmod panel
  insmod "$modules/panel.ko" "$@"
  ;;
esac
udevadm settle --timeout=20
