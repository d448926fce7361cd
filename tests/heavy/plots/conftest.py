"""The files the command is tried on."""

from tests.cli.conftest import folder  # noqa: F401
