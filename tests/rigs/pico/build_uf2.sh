#!/bin/sh
# Run inside a Debian 13 system: builds MicroPython for the Raspberry Pi Pico from Debian's sources
# alone, once for each folder /build/frozen/NAME, whose files become part of /build/NAME.uf2. The
# libraries that Debian has cut out of MicroPython's tree come from the packages pico-sdk-source and
# mbedtls; a library that this board doesn't use becomes an empty folder. The build's date is
# that of the sources.
set -e
cd /build
sed 's/^deb /deb-src /' /etc/apt/sources.list > /etc/apt/sources.list.d/sources.list
apt-get -q update
apt-get -q source micropython mbedtls
mbedtls=$(echo /build/mbedtls-*/)
cd micropython-*/

for library in pico-sdk=/usr/src/pico-sdk tinyusb=/usr/src/tinyusb mbedtls="$mbedtls"; do
  rm -rf "lib/${library%%=*}"
  ln -s "${library#*=}" "lib/${library%%=*}"
done
for submodule in $(sed -n 's/^\tpath = //p' .gitmodules); do
  [ -e "$submodule" ] || mkdir -p "$submodule"
  [ -e "$submodule/README.md" ] || : > "$submodule/README.md"
done
# So that the bytes are the same each time: the order of a folder's files may differ, and that of
# Python's sets.
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -STimestamp)
export SOURCE_DATE_EPOCH PYTHONHASHSEED=0 LC_ALL=C
freeze() { # all modules of a folder, one after the other
  find "$1" -name '*.py' -printf '%P\n' | sort | sed "s|.*|freeze(\"$1\", \"&\")|"
}
make -j "$(nproc)" -C mpy-cross
for frozen in /build/frozen/*; do
  {
    freeze "$PWD/ports/rp2/modules"
    echo 'include("$(MPY_DIR)/extmod/asyncio")'
    freeze "$frozen"
  } > /build/manifest.py
  # Of all that was built for the folder before, only this depends on what is frozen.
  rm -f ports/rp2/build-RPI_PICO/frozen_content.c
  make -j "$(nproc)" -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=/build/manifest.py \
    PICO_TINYUSB_PATH=/usr/src/tinyusb
  cp ports/rp2/build-RPI_PICO/firmware.uf2 "/build/$(basename "$frozen").uf2"
done
