"""Photos of dominoes on a table, made by a program: what the reader of photos is tuned by and
measured on (README.md). Real photos are measured apart."""
