"""The decisions, one file per stage; imports questions and the forms of answers."""
