"""Language models as raters, asked over HTTP."""
