"""The report: everything an evaluation or a comparison says, as one frozen value; rendered by `idealrank.report`."""
