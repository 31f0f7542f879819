"""Builds the system of the image: Debian's packages, then the companion's own package and the files
of `root`."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from image.inputs import DEBIAN_EPOCH, EXCLUDED, HERE, MODULES, ROOT, SUITE, name_of, packages

FINISH = HERE / "finish.sh"
INITRAMFS = "MODULES=list\nCOMPRESS=zstd\n"
FIRMWARE = 'CMA=64M\nROOTPART=PARTUUID=434f4d50-02\nCONSOLES="tty0"\n'


def debian(cache: Path) -> Path:
    """Returns the path of the tar file with only Debian's packages. Making it takes long, so it is
    cached: remove the file to get Debian's latest packages."""
    command = debian_command()
    kept = cache / name_of(command, SUITE, ".tar")
    if not kept.exists():
        _make_cached(command, kept, DEBIAN_EPOCH)
    return kept


def debian_command() -> list[str]:
    """Returns the command that makes that tar file, without the file's name."""
    control = (ROOT / "systemd" / "debian" / "control").read_text(encoding="utf-8")
    options = [f"path-exclude=/usr/share/{what}" for what in EXCLUDED]
    options += ["path-include=/usr/share/doc/*/copyright", "path-exclude=/usr/lib/udev/hwdb.d/*"]
    options += ["path-include=/usr/share/doc/table-companion/*", "force-confold"]
    return [
        "mmdebstrap", "--quiet", "--format=tar", "--architectures=arm64", "--variant=minbase",
        "--components=main,non-free-firmware", f"--include={','.join(packages(control))}",
        '--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Languages "none"',
        *(f"--dpkgopt={option}" for option in options),
        *(f"--essential-hook={line}" for line in _commands_before_kernel()),
        SUITE,
    ]  # fmt: skip


def _commands_before_kernel() -> list[str]:
    """Returns commands that write the settings that the packages' own scripts read."""
    files = {
        "etc/initramfs-tools/conf.d/card": INITRAMFS,
        "etc/initramfs-tools/modules": "".join(f"{name}\n" for name in MODULES),
        "etc/default/raspi-firmware": FIRMWARE,
    }
    lines = [
        f'mkdir -p "$1/{Path(name).parent}"; cat > "$1/{name}" <<\'END\'\n{text}END'
        for name, text in files.items()
    ]
    # Python files are compiled once, at the end: in emulation each call costs seconds.
    divert = 'chroot "$1" dpkg-divert --quiet --local --rename --add /usr/bin/py3compile'
    stand_in = 'printf "#!/bin/sh\\n" > "$1/usr/bin/py3compile"; chmod 755 "$1/usr/bin/py3compile"'
    return [*lines, divert, stand_in]


def whole_system(base: Path, deb: Path, added: Mapping[str, Path], epoch: int, cache: Path) -> Path:
    """Returns the path of the tar file of the whole system: Debian's packages, our package and our
    files. `added`: generated files, by the folder in which each belongs."""
    ours = sorted(path for path in (HERE / "root").rglob("*") if not path.is_dir())
    told = [_digest_input(path) for path in (deb, FINISH, *added.values(), *ours)]
    kept = cache / name_of(
        [base.name, str(base.stat().st_mtime_ns), *told, str(epoch)], "box", ".tar"
    )
    if not kept.exists():
        command = [
            "mmdebstrap", "--quiet", "--format=tar", "--architectures=arm64", "--variant=custom",
            "--skip=setup,update,cleanup/apt,cleanup/mmdebstrap",
            f"--setup-hook=tar-in {base} /",
            f"--customize-hook=upload {deb} /companion.deb",
            f"--customize-hook=sync-in {HERE / 'root'} /",
            *(f"--customize-hook={line}" for line in _additions(added)),
            f"--customize-hook={FINISH}",
            SUITE,
        ]  # fmt: skip
        _make_cached(command, kept, epoch)
    return kept


def _additions(added: Mapping[str, Path]) -> Iterator[str]:
    for folder, path in added.items():
        yield f'mkdir -p "$1/{folder}"'
        yield f"upload {path} /{folder}/{path.name}"


def _digest_input(path: Path) -> bytes:
    data = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
    return path.name.encode() + b"\0" + data


def _make_cached(command: Sequence[str], kept: Path, epoch: int) -> None:
    making = kept.with_suffix(f".{os.getpid()}.tar")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    environment["PATH"] += ":/usr/sbin:/sbin"
    try:
        subprocess.run([*command, str(making)], check=True, env=environment)
        making.rename(kept)
    finally:
        making.unlink(missing_ok=True)
