"""How fast queries are replayed against a server that answers at once, and whether memory stays flat.

    python bench/replaying.py [QUERIES]

A server in a process of its own answers every search at once with ten hits. `idealrank replay` asks it, 16 at a time,
and so does a loop of aiohttp that only parses the answers and keeps nothing: what a client of Python can do at most.
Prints queries per second of both, by wall time and by CPU time of the client, and the memory after a tenth of the
queries and at the end, in MB, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools import script

HITS = ",".join(f'{{"_id":"d{i}","_score":{10 - i}}}' for i in range(10))
BODY = f'{{"took":0,"timed_out":false,"hits":{{"hits":[{HITS}]}}}}'.encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
AT_A_TIME = 16


class Server(asyncio.Protocol):
    """Answers each request as soon as it is whole."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the connection."""
        self.transport, self.read = transport, b""

    def data_received(self, data: bytes) -> None:
        """Answer the requests that are whole."""
        self.read += data
        while (end := self.read.find(b"\r\n\r\n")) >= 0:
            head = self.read[:end].lower()
            place = head.find(b"content-length:")
            whole = end + 4 + (int(head[place + 15 :].split(b"\r\n")[0]) if place >= 0 else 0)
            if len(self.read) < whole:
                return
            self.read = self.read[whole:]
            self.transport.write(ANSWER)  # type: ignore[attr-defined]


async def serve() -> None:
    """Serve until the process ends; say the port first."""
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def loop(address: str, count: int) -> None:
    """Ask as many queries with aiohttp alone."""
    import aiohttp

    numbers, kept = iter(range(count)), {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_A_TIME)) as session:

        async def work() -> None:
            for number in numbers:
                body = json.dumps({"query": {"match": {"title": f"query {number}"}}, "size": 10}).encode()
                async with session.post(f"{address}/_search", data=body, headers=kept) as answer:
                    json.loads(await answer.read())

        await asyncio.gather(*(work() for _ in range(AT_A_TIME)))


def memory(process: int) -> float:
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def timed(command: list[str], journal: Path, count: int) -> dict[str, float]:
    """Run a command; return its queries per second, and its memory after a tenth of them and at the end."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sizes: list[tuple[int, float]] = []
    while process.poll() is None:
        time.sleep(0.05)
        if journal.exists() and process.poll() is None:
            sizes.append((journal.stat().st_size, memory(process.pid)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = {"per second": count / (time.perf_counter() - begin), "per second of CPU": count / cpu}
    if sizes:
        largest = sizes[-1][0]
        early = next(size for written, size in sizes if written >= largest / 10)
        found |= {"MB after a tenth": early, "MB at most": max(size for _, size in sizes)}
    return found


def main(count: int) -> None:
    """Print what both did."""
    with (
        tempfile.TemporaryDirectory() as name,
        subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None
        address, folder = f"http://127.0.0.1:{int(server.stdout.readline())}/products", Path(name)
        queries = folder / "queries.csv"
        queries.write_text("query_id,query\n" + "".join(f"q{i},query {i}\n" for i in range(count)))
        replay = [script("idealrank"), "replay", str(queries), f"s=opensearch+{address}", "-k", "10"]
        replay += ["--concurrency", str(AT_A_TIME), "-o", str(folder / "out")]
        found = timed(replay, folder / "out" / "replay" / "s.journal.jsonl", count)
        alone = timed([sys.executable, __file__, "loop", address, str(count)], folder / "none", count)
        server.terminate()
    found["memory"] = found["MB at most"] / found["MB after a tenth"]
    print(json.dumps(found | {f"{name}, aiohttp alone": value for name, value in alone.items()}))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(serve())
        case ["loop", address, count]:
            asyncio.run(loop(address, int(count)))
        case [count]:
            main(int(count))
        case _:
            main(50_000)
