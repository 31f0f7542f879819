"""Photos of dominoes on a table, made by a program. The reader of photos is tuned and measured on
them (README.md); real photos are measured apart."""
