"""Judgments and Results: tables whose columns are known by role."""

from idealrank.data.ids import ONE_QUERY, id_text, plain_ids
from idealrank.data.judgments import Judgments, read_judgments
from idealrank.data.results import Results, read_results

__all__ = ["ONE_QUERY", "Judgments", "Results", "id_text", "plain_ids", "read_judgments", "read_results"]
