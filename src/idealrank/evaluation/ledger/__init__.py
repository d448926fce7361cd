"""The account of every query: values go in, counts, oddities and means under other answers come out."""
