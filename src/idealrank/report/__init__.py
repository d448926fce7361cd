"""Reports compute nothing: text, HTML and progress over finished values."""
