"""The play of Highrise at the box: the basement, the turns, the holdings."""
