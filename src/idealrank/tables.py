"""Judgments and Results: tables whose columns are known by role."""

from idealrank.judgments import Judgments, read_judgments
from idealrank.read.keys import ONE_QUERY, id_text, plain_ids
from idealrank.results import Results, read_results

__all__ = ["ONE_QUERY", "Judgments", "Results", "id_text", "plain_ids", "read_judgments", "read_results"]
