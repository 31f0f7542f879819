"""The play of Highrise at the box: the basement, plays by what they come to, holdings."""
