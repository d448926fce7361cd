"""Spark DataFrames go in, a lazy DataFrame of values and, on demand, scores come out.

Nothing of PySpark is imported before it is called.

>>> from idealrank.distributed import spark
>>> spark.evaluate.__name__
'evaluate'
"""

from idealrank.distributed.spark.evaluation import Evaluation, evaluate, explain, worst

__all__ = ["Evaluation", "evaluate", "explain", "worst"]
