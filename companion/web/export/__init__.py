"""A game to look at again, and to send to somebody who has no box: files made of its moments."""
