"""A comparison as a local page: decisions are flipped, results graded, and the verdict moves.

It may import all rooms but cli. What it needs besides is imported when a studio starts: ``pip install
'idealrank[studio]'``.
"""

from idealrank.display.rooms import make_callable
from idealrank.studio.running import RunningStudio, studio

__all__ = ["RunningStudio", "studio"]

make_callable(__name__, studio)
