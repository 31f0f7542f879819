"""All Fives, as clubs and championships play it; also called Muggins."""
