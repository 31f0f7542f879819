"""What the commands do that are over soon: print, and give the status to end with."""
