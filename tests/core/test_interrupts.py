"""Ctrl-C within a long read."""

import os
import signal
import subprocess
import sys

import pytest

READ = """
import sys, threading, time
import idealrank as ir
from idealrank import _core
source = sys.argv[1]
progress = _core.Progress()
def tell():
    while not progress.done:
        time.sleep(0.001)
    print("reading", flush=True)
threading.Thread(target=tell, daemon=True).start()
try:
    _core.read_trec(source, "qrels", progress)
except KeyboardInterrupt:
    print("interrupted", progress.done < progress.total)
"""


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent SIGINT there")
def test_ctrl_c_ends_a_read(tmp_path):
    """A SIGINT during a read of a large file raises KeyboardInterrupt before the file is read."""
    path = tmp_path / "large.qrels"
    with path.open("wb") as file:
        for query in range(400):
            file.write(b"".join(b"q%d 0 document-%d 1\n" % (query, doc) for doc in range(500)) * 50)
    with subprocess.Popen([sys.executable, "-c", READ, os.fspath(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted True\n"
        assert process.wait() == 0
