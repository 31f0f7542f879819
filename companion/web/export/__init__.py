"""A game to replay, and to send to somebody who has no box: files built from its moments."""
