"""A system goes in beside another, a baseline or its past; whether it may pass, and its history, come out."""
