"""Other tools' calls go in, their numbers come out: one module per tool. May import every room but cli."""
