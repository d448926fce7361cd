"""Judgments and results go in; what is wrong with them, how far it moves a mean, and what mends it come out.

It may import evaluation and the rooms below it.
"""

from idealrank.display.rooms import make_callable
from idealrank.doctor.diagnosis import Diagnosis, doctor
from idealrank.doctor.finding import Finding

__all__ = ["Diagnosis", "Finding", "doctor"]

make_callable(__name__, doctor)
