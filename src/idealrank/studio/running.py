"""A studio that runs: its tables come into a project, and its pages are served."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from idealrank.errors import UsageError

if TYPE_CHECKING:
    import uvicorn

    from idealrank.studio.project import StudioProject

PORT = 8765
"""The port that is tried first."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""What only this machine can reach."""


def refuse_missing_parts() -> None:
    """Say what to install, where something the studio is made of is missing.

    Raises
    ------
    UsageError
        If it is.
    """
    try:
        import alembic  # noqa: F401
        import python_multipart  # noqa: F401
        import sqlalchemy  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"The studio needs {error.name}, and it is not installed. Install it: pip install 'idealrank[studio]' (in "
            "a clone: pip install '.[studio]')."
        ) from None


class RunningStudio:
    """A studio that answers until it is stopped.

    Parameters
    ----------
    project
        What it shows.
    host, port
        Where it listens; port 0: any that is free.
    token
        What a browser must know to be let in; "" for none, which only this machine may have.
    secrets_to
        Engines, as ``https://HOST:PORT``, to which replays may send variables, passwords and signatures.

    Attributes
    ----------
    address
        What to open in a browser.

    Raises
    ------
    UsageError
        If the port is taken, or other machines could reach it without a token.
    """

    def __init__(
        self,
        project: StudioProject,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str = "",
        secrets_to: Collection[str] = (),
    ) -> None:
        if host not in LOOPBACK and not token:
            raise UsageError(f"host={host!r}: other machines can reach this studio, so it needs a token. Give one.")
        self.project = project
        self._listener = _listen(host, port)
        port = self._listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        asked = f"?{urlencode({'token': token})}" if token else ""
        self.address = f"http://{shown}:{port}/{asked}"
        hosts = () if token else [f"{name}:{port}" for name in (*LOOPBACK[:2], "[::1]")]
        self._server = _server(project, hosts, token, secrets_to)
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Answer until the program is interrupted."""
        try:
            self._server.run([self._listener])
        finally:
            self._close()

    def start(self) -> RunningStudio:
        """Answer beside the program, as in a notebook."""
        # A daemon: a notebook that ends need not stop it.
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """Answer no more; what was graded stays in the project."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(10)
        self._close()

    def _close(self) -> None:
        self._listener.close()
        self.project.close()

    def __repr__(self) -> str:
        return f"Studio at {self.address}. Grades are kept in {self.project.store.name}. To end it: .stop()"

    def _repr_html_(self) -> str:
        link = f'<a href="{escape(self.address)}" target="_blank" rel="noopener">Open the studio</a>'
        return f"{link} ({escape(self.address)}). Grades are kept in {escape(self.project.store.name)}."


def _server(
    project: StudioProject, hosts: Iterable[str], token: str, secrets_to: Collection[str] = ()
) -> uvicorn.Server:
    import uvicorn

    from idealrank.studio.app import studio_app

    # A page that is still open must not keep the studio from ending.
    return uvicorn.Server(
        uvicorn.Config(studio_app(project, hosts, token, secrets_to), log_level="error", timeout_graceful_shutdown=2)
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise UsageError(f"{host}:{port} cannot be listened at: {error.strerror}. Name another port.") from None
    return listener


def new_token() -> str:
    """Return a token nobody guesses."""
    return secrets.token_urlsafe(16)


def fill(
    project: StudioProject, judgments: Any = None, results: Any = (), queries: Any = None, documents: Any = None
) -> None:
    """Read tables into a project: files and folders as they are, others as CSV files of them.

    Parameters
    ----------
    judgments, queries, documents
        A table each, as `evaluate` takes them; None: none.
    results
        Tables of results: several, or by name.
    """
    from idealrank.data.formats.reader import system_files
    from idealrank.data.systems import system_names
    from idealrank.studio.foreign import refuse_system_name
    from idealrank.studio.project import DOCUMENTS, JUDGMENTS, QUERIES, RESULTS

    if isinstance(results, Mapping):
        named = list(results.items())
    else:  # two files called alike are two systems, as for `evaluate`
        results = [file for each in results for file in (system_files(os.fspath(each)) if _is_path(each) else [each])]
        names = system_names([str(each) if _is_path(each) else "" for each in results])
        named = list(zip(names, results, strict=True))
        refuse_systems_alike(names)
    tables = [(JUDGMENTS, "", judgments), *((RESULTS, name, table) for name, table in named)]
    tables += [(QUERIES, "", queries), (DOCUMENTS, "", documents)]
    with tempfile.TemporaryDirectory(prefix="idealrank-") as folder:
        for role, name, table in tables:
            refuse_system_name(name)
            if table is not None:
                file = _as_file(role, table, name, folder)
                project.add(role, file, name)


def refuse_systems_alike(names: Sequence[str]) -> None:
    """Refuse two tables of results whose systems would be called the same.

    Raises
    ------
    UsageError
        If there are such.
    """
    twice = [name for name in names if name and names.count(name) > 1]
    if twice:
        raise UsageError(f"Two systems would be called {twice[0]!r}. Name each file once, or copy one elsewhere.")


def _is_path(table: Any) -> bool:
    return isinstance(table, str | os.PathLike)


def _as_file(role: str, table: Any, name: str, folder: str) -> Path:
    """Return a table as a file: the one it is, or one of its rows."""
    from idealrank.data.read import read_judgments, read_results
    from idealrank.studio.project import JUDGMENTS, RESULTS

    if _is_path(table):
        return Path(table)
    if role not in (JUDGMENTS, RESULTS):
        raise UsageError(f"{role}={type(table).__name__}: the studio takes a file of these. Write it, and name it.")
    read = read_judgments(table) if role == JUDGMENTS else read_results(table, name=name or "results")
    file = Path(folder, f"{name.replace('/', '_') or role}.csv")
    read.write(file, format="csv")
    return file


def studio(
    comparison: Any,
    results: Any = None,
    measure: str = "nDCG@10",
    *,
    convention: str = "",
    queries: str | os.PathLike[str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    project: str | os.PathLike[str] | None = None,
    port: int = 0,
    secrets_to: Collection[str] = (),
) -> RunningStudio:
    """Start the local page of a comparison: flip decisions, read queries, grade results, and see the verdict move.

    It answers on this machine alone, beside the program, until ``stop()`` or the end of the program.

    Parameters
    ----------
    comparison
        What `compare` returned, or judgments; with neither results nor a comparison: the file of a project.
    results
        Beside judgments: the systems, the baseline first; by name, or files.
    measure
        The measure that decides; that of a comparison is taken from it.
    convention
        As for `evaluate`, with its answers; that of a comparison is taken from it.
    queries, documents
        Files with texts of queries and titles of documents.
    project
        The file the grades are kept in, made if there is none; or ``postgresql://…``. None: one that is forgotten with
        the program, so export what was graded.
    port
        Where to listen; 0: any port that is free.
    secrets_to
        Engines, as ``https://HOST:PORT``, to which asking a system again may send variables of the environment,
        passwords and signatures; to no other.

    Returns
    -------
    RunningStudio: its address, as a link in a notebook.

    Raises
    ------
    UsageError
        If a part of the studio is not installed, or the port is taken.
    DataError
        If a table cannot be read.

    Examples
    --------
    >>> import idealrank as ir
    >>> judged = {"q": {"a": 2, "b": 1}}
    >>> running = ir.studio(judged, {"old": {"q": {"b": 2.0, "a": 1.0}}, "new": {"q": {"a": 2.0, "b": 1.0}}})
    >>> running.address[:17]
    'http://127.0.0.1:'
    >>> running.stop()
    """
    refuse_missing_parts()
    from idealrank.comparison.comparison import Comparison
    from idealrank.studio.project import CONVENTION, StudioProject
    from idealrank.studio.store import Store

    where = project if project is not None else _forgotten_project()
    if isinstance(comparison, Comparison):
        judged, results, measure, convention = _tables_of(comparison)
    elif results is None:
        if project is not None:
            raise UsageError("A project keeps its own tables: give judgments and results to add, or the project alone.")
        judged, where = None, comparison
    else:
        judged = comparison
    made = StudioProject(Store(where))
    try:
        named = results if isinstance(results, Mapping) else [] if results is None else _as_list(results)
        fill(made, judged, named, queries, documents)
        if judged is not None:
            made.allow_units(convention or CONVENTION, measure)
            made.store["measure"] = measure
            made.store["convention"] = convention or CONVENTION
        return RunningStudio(made, port=port, secrets_to=secrets_to).start()
    except BaseException:
        made.close()
        raise


def _forgotten_project() -> Path:
    """Return a file that goes with the program: as long as that runs, the studio may answer."""
    folder = tempfile.mkdtemp(prefix="idealrank-studio-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder, "project.db")


def _as_list(results: Any) -> list[Any]:
    return list(results) if isinstance(results, list | tuple) else [results]


def _tables_of(comparison: Any) -> tuple[Any, dict[str, Any], str, str]:
    """Return judgments, results by name, the measure and the convention of a comparison."""
    scores = comparison.scores
    joins = scores.joins
    results = {system: joined.results for system, joined in zip(scores.systems, joins, strict=True)}
    return joins[0].judgments, results, scores.labels[0], scores.answers.setting
