"""The studio: a comparison in the browser, alive: flip a decision, grade results, and watch the verdict move."""
