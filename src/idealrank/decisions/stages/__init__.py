"""The decisions, a file for each stage at which they act; imports questions and the forms of answers."""
