"""Other tools' calls go in, their numbers come out: one tool a module. It may import all rooms but cli and reports."""
