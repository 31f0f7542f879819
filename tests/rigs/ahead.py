"""The Debian systems that the rigs keep, made ahead: `python -m tests.rigs.ahead`, beside work that
leaves time. That takes more of a network's time than of a processor's.

As root on Debian. What is kept already is left as it is; a rig makes by itself what isn't.
"""

from tests.manual.renew import renew
from tests.rigs import rig_hub
from tests.rigs.kernel.build import build
from tests.rigs.package import DEBIANS, debian_for, debs, table_of


def main() -> None:
    """The kernel's guest first, which takes the longest."""
    renew()
    build()
    for suite in DEBIANS:
        debian_for(suite, [table_of(debs())])
    debian_for(rig_hub.SUITE, debs(), rig_hub.BESIDES)


if __name__ == "__main__":
    main()
