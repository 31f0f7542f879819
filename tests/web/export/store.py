"""Stores the data of a short game anew: python -m tests.web.export.store"""

import json

from tests.web.export.test_moments import GOLDEN, tally, told

if __name__ == "__main__":
    found = told(tally(GOLDEN.stem))
    GOLDEN.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
