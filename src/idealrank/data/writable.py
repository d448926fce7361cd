"""The call that writes judgments or results to a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from idealrank.data.ids import Keyed

if TYPE_CHECKING:
    from idealrank._core import Run
    from idealrank.data.writing.rows import RowsToWrite
    from idealrank.data.writing.writer import Written


class WritableJudgments(Keyed):
    """Judgments that can be written."""

    def rows_to_write(self, raters: str | None = None, duplicates: str = "error") -> RowsToWrite:
        """Return one row per judgment; with an answer to `raters`, one per query and document."""
        raise NotImplementedError

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        format: str = "",  # noqa: A002  # what the files are called
        raters: str | None = None,
        scale_grades: float = 1.0,
        formulas: str = "keep",
        index: str = "",
        queries: Any = None,
        documents: Any = None,
    ) -> Written:
        r"""Write the judgments to a file that other tools read.

        Parameters
        ----------
        path
            The file, or the folder for BEIR; with ``.gz`` at the end it is compressed.
        format
            Its format, if the ending does not say it: trec, csv, tsv, jsonl, parquet, beir, quepid, quepid-book, rre,
            opensearch, rank_eval, pytrec_eval or svmlight, or that of another package.
        raters
            How several ratings become one grade: median, mean, majority, max or min; None to keep them apart.
        scale_grades
            What to multiply grades with, for formats that have whole numbers only.
        formulas
            keep, or escape: in CSV, an apostrophe before each cell that a spreadsheet would run.
        index
            The index of the documents, in a request for ``_rank_eval``.
        queries, documents
            Tables with the texts of queries and the titles of documents.

        Returns
        -------
        What was written, and notes about what the format has no place for.

        Raises
        ------
        DataError
            If the format has no place for something that must not be left out: fractions, raters, subtopics.
        UsageError
            If there is no such format, or the file cannot be written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from idealrank.data.read import read_judgments
        >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
        >>> written = read_judgments({"q1": {"d1": 3, "d2": 0}}).write(path)
        >>> path.read_text()
        'q1 0 d1 3\nq1 0 d2 0\n'
        """
        from idealrank.data.writing.write import with_texts, write
        from idealrank.data.writing.writer import WriteOptions

        rows = with_texts(self.rows_to_write(raters), self, queries, documents)
        return write(rows, path, format, WriteOptions(scale_grades, formulas, index))


class WritableResults(Keyed):
    """Results that can be written."""

    def rows_to_write(self, system: str = "") -> RowsToWrite:
        """Return one row per result, and per query without results; of one system, or "" for all."""
        raise NotImplementedError

    def returned(self, system: str, duplicates: str) -> Run:
        """Group the results of one system, or of all for "", by list."""
        raise NotImplementedError

    def sound_rows(self, system: str = "") -> RowsToWrite:
        """Return the rows to write, once it is known that they could be evaluated.

        Raises
        ------
        DataError
            If a row cannot be used; the message gives its line.
        """
        self.returned(system, "first")
        return self.rows_to_write(system)

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        format: str = "",  # noqa: A002  # what the files are called
        system: str = "",
        formulas: str = "keep",
        queries: Any = None,
        documents: Any = None,
    ) -> Written:
        r"""Write the results to a file that other tools read.

        Parameters
        ----------
        path
            The file; with ``.gz`` at the end it is compressed.
        format
            Its format, if the ending does not say it: trec, csv, tsv, jsonl, parquet or pytrec_eval, or that of
            another package.
        system
            The only system to write, of several.
        formulas
            keep, or escape: in CSV, an apostrophe before each cell that a spreadsheet would run.
        queries, documents
            Tables with the texts of queries and the titles of documents.

        Returns
        -------
        What was written, and notes about what the format has no place for.

        Raises
        ------
        DataError
            If the format has no place for something that must not be left out, such as several systems.
        UsageError
            If there is no such format or system, or the file cannot be written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from idealrank.data.read import read_results
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.run")
        >>> written = read_results({"q1": {"d1": 2.5, "d7": 1.0}}, name="bm25").write(path)
        >>> path.read_text()
        'q1 Q0 d1 1 2.5 bm25\nq1 Q0 d7 2 1 bm25\n'
        """
        from idealrank.data.writing.write import with_texts, write
        from idealrank.data.writing.writer import WriteOptions

        rows = with_texts(self.sound_rows(system), self, queries, documents)
        return write(rows, path, format, WriteOptions(formulas=formulas))
