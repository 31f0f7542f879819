"""The Debian systems that the rigs keep, made ahead: `python -m tests.rigs.ahead`, beside work that
leaves time. That takes more of a network's time than of a processor's.

As root on Debian. What is kept already is left as it is; a rig makes by itself what isn't.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.rigs import rig_hub
from tests.rigs.kernel.build import build
from tests.rigs.package import DEBIANS, debian_for, make_deb


def main() -> None:
    """The kernel's guest first, which takes the longest."""
    build()
    with TemporaryDirectory() as folder:
        make_deb(Path(folder))
        for suite in DEBIANS:
            debian_for(suite, [*Path(folder).glob("table-companion_*.deb")])
        debian_for(rig_hub.SUITE, [*Path(folder).glob("*.deb")], rig_hub.BESIDES)


if __name__ == "__main__":
    main()
