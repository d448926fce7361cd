"""A team's project: two studios on one database, a file or a PostgreSQL."""

from __future__ import annotations

from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store
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
