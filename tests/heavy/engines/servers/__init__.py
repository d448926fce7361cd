"""Real engines for the tests: each is a process that prints READY and its address, and ends with its input."""


class AbsentError(Exception):
    """Why an engine cannot be started on this machine."""
