"""The table companion: a scorekeeper for High Five dominoes and its relatives."""
