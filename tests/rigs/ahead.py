"""Makes the Debian systems that the rigs keep, ahead of time: `python -m tests.rigs.ahead`, while
other work goes on. Most of its time is spent waiting for the network.

Run it as root on Debian. Systems that are already there are left as they are; a rig itself makes
any that is missing.
"""

from tests.manual.renew import renew
from tests.rigs import rig_hub, rig_install
from tests.rigs.kernel.build import build
from tests.rigs.package import DEBIANS, debian_for, debs, table_of
from tests.rigs.roots import debian_root


def main() -> None:
    """Makes all systems, first the kernel rig's guest, which takes the longest."""
    renew()
    build()
    for suite in DEBIANS:
        debian_for(suite, [table_of(debs())])
        debian_root(suite, rig_install.BESIDES)
    debian_for(rig_hub.SUITE, debs(), rig_hub.BESIDES)


if __name__ == "__main__":
    main()
