"""A team's project: two studios on one database, a file or a PostgreSQL."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

import idealrank as ir
from idealrank.studio.project import StudioProject
from idealrank.studio.store import LONGEST_TEXT, Store, check_tables
from tests.studio.client import Client, serving
from tests.studio.worlds import shop_project


def test_two_studios_on_one_database_share_grades(where: str) -> None:
    """What one studio's rater says counts in the other at once; neither asks for it again; the numbers are the same."""
    first = shop_project(where)
    first.store["overlap"] = 0
    second = StudioProject(Store(where))
    with serving(first) as one, serving(second) as other:
        ann, bob = Client(one, "ann"), Client(other, "bob")
        asked = []
        for number in range(6):
            rater = (ann, bob)[number % 2]
            fields = rater.get("/grade").fields
            asked.append((fields["q"], fields["doc"]))
            saved = rater.post("/rate", {**fields, "grade": str(number % 4)}, part="json")
            assert saved.status == 200
        assert len(set(asked)) == 6
        assert first.store.ratings() == second.store.ratings()
        assert first.found(first.look()) == second.found(second.look())
        assert ann.get("/export?format=csv").text == bob.get("/export?format=csv").text
        assert {"ann", "bob"} <= set(second.judgments().raters)
    first.close()
    second.close()


@pytest.mark.heavy
@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_a_database_with_rules_is_no_project(where: str) -> None:
    """What a server would run as a project is read or written is refused in a sentence, and nothing else is."""
    shop_project(where).close()
    engine = sa.create_engine(sa.make_url(where).set(drivername="postgresql+psycopg"))
    run = "CREATE FUNCTION never() RETURNS {0} LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''run''; END'"
    for statement in (
        f"{run.format('trigger')}; CREATE TRIGGER t BEFORE INSERT ON ratings FOR EACH ROW EXECUTE FUNCTION never()",
        "CREATE RULE r AS ON INSERT TO ratings DO ALSO DELETE FROM looks",
        "ALTER TABLE settings RENAME TO more; CREATE VIEW settings AS SELECT * FROM more",
        "ALTER TABLE ratings ENABLE ROW LEVEL SECURITY", "ALTER TABLE ratings ALTER undone SET DEFAULT 'x'",
        f"{run.format('boolean')}; ALTER TABLE ratings ADD CHECK (never()) NOT VALID",
        "CREATE INDEX i ON ratings (lower(doc))", "CREATE INDEX i ON ratings (id) WHERE doc = ''",
        "CREATE TABLE more () INHERITS (looks)",
        "ALTER TABLE raters ADD more TEXT GENERATED ALWAYS AS (name) STORED", "DROP TABLE looks",
        f"UPDATE sources SET file = repeat('x', {LONGEST_TEXT + 1})",
    ):  # fmt: skip
        with engine.connect() as connection:
            connection.execute(sa.text(statement))
            with pytest.raises(ir.DataError, match="some other program changed this project: its table"):
                check_tables(connection, "shop")
            connection.rollback()
    Store(where).close()
    engine.dispose()
