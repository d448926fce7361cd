"""The notebooks run in a kernel, and what a type checker says of a script."""
