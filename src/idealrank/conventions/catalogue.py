"""All conventions by name; a tool's module is imported when one of its conventions is needed."""

import importlib
from collections.abc import Iterator, Mapping

from idealrank.conventions.convention import Convention


class Catalogue(Mapping[str, Convention]):
    """The conventions of some modules; the module whose name begins the convention's is searched first.

    Examples
    --------
    >>> from idealrank.conventions import CONVENTIONS
    >>> CONVENTIONS["trec_eval-10.0"].tool, "trec_eval-11" in CONVENTIONS
    ('trec_eval', False)
    >>> CONVENTIONS.spelt("TREC-EVAL-10.0").name
    'trec_eval-10.0'
    """

    def __init__(self, *modules: str) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Convention:
        convention = self.spelt(name)
        if convention is None or convention.name != name:
            raise KeyError(name)
        return convention

    def __iter__(self) -> Iterator[str]:
        return (convention.name for module in self._modules for convention in _conventions(module))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Conventions({', '.join(self)})"

    def spelt(self, name: str) -> Convention | None:
        """Return the convention with a name, ignoring case and the kind of dashes."""
        folded = _folded(name)
        modules = sorted(self._modules, key=lambda module: not _bare(name).startswith(_bare(module)))
        conventions = (convention for module in modules for convention in _conventions(module))
        return next((convention for convention in conventions if _folded(convention.name) == folded), None)


def _conventions(module: str) -> tuple[Convention, ...]:
    conventions: tuple[Convention, ...] = importlib.import_module(f"idealrank.conventions.tools.{module}").CONVENTIONS
    return conventions


def _folded(name: str) -> str:
    return name.lower().replace("_", "-")


def _bare(name: str) -> str:
    return _folded(name).replace("-", "")
