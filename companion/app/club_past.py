"""The process that makes the pages of a club's players and evenings: python -m
companion.app.club_past FOLDER, the hub's folder. The hub starts it; questions and answers are as in
app/past.py."""

import sys
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.app.past import answer_all
from companion.club.hub.archive import ClubArchive
from companion.club.hub.folder import HubFolder


def main() -> None:
    """Answers until its input ends."""
    folder = HubFolder.open(Path(sys.argv[1]))
    club, months = folder.keys.identity, folder.keep_names_months
    answer_all(ClubArchive(folder.open_database(), club, CATALOG, months).page)


if __name__ == "__main__":
    main()
