"""Sessions at the command line: what was typed and what was said, approved as a whole."""
