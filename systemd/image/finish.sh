#!/bin/sh
# finish.sh ROOT: the last steps in the system that is being made. Run by mmdebstrap.
set -eu
root=$1

# The settings are those of the card: a link takes the place of the package's own file.
link=/run/companion-card/companion.toml
rm -f "$root/etc/companion/companion.toml"
chroot "$root" dpkg --install /companion.deb
rm "$root/companion.deb"
rm -f "$root/etc/companion/companion.toml" "$root/etc/companion/companion.toml.dpkg-"*
ln -s "$link" "$root/etc/companion/companion.toml"
ln -sf /run/companion-card/localtime "$root/etc/localtime"

rm "$root/usr/bin/py3compile"
chroot "$root" dpkg-divert --quiet --local --rename --remove /usr/bin/py3compile
chroot "$root" python3 -m compileall -q --invalidation-mode unchecked-hash \
    /usr/lib/python3/dist-packages /usr/share/table-companion

chroot "$root" systemctl --quiet enable systemd-networkd systemd-resolved systemd-timesyncd \
    avahi-daemon ssh companion companion-card companion-card-tell \
    companion-card-board companion-card-wifi companion-card-trial companion-card-update.path
chroot "$root" systemctl --quiet disable wpa_supplicant systemd-networkd-wait-online \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer \
    e2scrub_reap 2>/dev/null || true
# Units that would write to the system, ask questions, or show a login in the picture's place.
for unit in systemd-pstore systemd-random-seed systemd-update-done ldconfig systemd-hwdb-update \
    systemd-firstboot systemd-tpm2-setup systemd-tpm2-setup-early systemd-binfmt; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
for unit in getty@.service serial-getty@.service autovt@.service systemd-hostnamed.socket \
    proc-sys-fs-binfmt_misc.automount sshd-keygen.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done

# A box without a clock starts with the time at which its system was made, not earlier.
: > "$root/usr/lib/clock-epoch"
mkdir -p "$root/data" "$root/boot/firmware" "$root/var/lib/companion"
echo LANG=C.UTF-8 > "$root/etc/locale.conf"
: > "$root/etc/machine-id"
rm -rf "$root/var/lib/dbus/machine-id" "$root/etc/ssh/ssh_host_"* "$root/var/cache/apt" \
    "$root/var/lib/apt/lists" "$root/var/cache/debconf" "$root/var/cache/ldconfig" "$root/var/log" \
    "$root/var/lib/systemd" "$root/boot/firmware/"* "$root/etc/apt/sources.list.d/"*
rm -f "$root/etc/passwd-" "$root/etc/group-" "$root/etc/shadow-" "$root/etc/gshadow-" \
    "$root/etc/subuid-" "$root/etc/subgid-" "$root/var/lib/dpkg/"*-old "$root/etc/.pwd.lock"
mkdir -p "$root/var/cache/apt/archives/partial" "$root/var/lib/apt/lists/partial" "$root/var/log" \
    "$root/var/lib/systemd/timesync"
