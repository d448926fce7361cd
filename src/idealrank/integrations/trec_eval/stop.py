"""Stop: an early end, with trec_eval's exit code."""

USAGE, INPUT, CALCULATION, NOTHING, ABORTED, ZSCORES = 1, 2, 4, 7, 134, 255
"""trec_eval's exit codes: words of the call, files and parameters, a topic, no topic, what a shell sees of an abort,
a file of z-scores."""


class Stop(Exception):  # noqa: N818
    """The message on standard error, and the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
