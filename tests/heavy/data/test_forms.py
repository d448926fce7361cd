"""Tables of polars, pyarrow and DuckDB, and the files they write, give the same numbers as every other form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.forms import JUDGMENTS, RESULTS
from tests.data.test_forms import check, check_form
from tests.heavy.data.objects import FILES, OBJECTS, USED_UP

FORMS = {**FILES, **OBJECTS}


@pytest.mark.parametrize("form", FORMS)
def test_either_table_in_any_form(form: str, tmp_path: Path) -> None:
    """Either table in any form, without a column argument, gives the numbers of the notebook, and is left as it was."""
    check_form(form, FORMS[form], tmp_path, form in USED_UP)


@pytest.mark.parametrize("ending", ["", ".csv", ".gz"])
def test_endings_are_not_believed(ending: str, tmp_path: Path) -> None:
    """Parquet is known by its first bytes, whatever the file is called."""
    path = Path(FILES["Parquet"](JUDGMENTS, "judgments", tmp_path))
    check(path.rename(tmp_path / f"file{ending}"), OBJECTS["pyarrow"](RESULTS, "results", tmp_path))
