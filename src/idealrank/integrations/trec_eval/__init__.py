"""trec_eval's command line: the same arguments in, the same bytes and exit codes out."""

from idealrank.integrations.trec_eval.program import run

__all__ = ["run"]
