"""The first tables: contents, sources, settings, raters, ratings, looks."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "contents",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sources",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), sa.ForeignKey("contents.sha256"), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.UniqueConstraint("role", "name", name="uq_sources_role"),
    )
    op.create_table(
        "settings", sa.Column("name", sa.String(64), primary_key=True), sa.Column("value", sa.JSON, nullable=False)
    )
    op.create_table(
        "raters",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.UniqueConstraint("name", name="uq_raters_name"),
    )
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("rater", sa.Integer, sa.ForeignKey("raters.id"), nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("doc", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("grade", sa.Float),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("undone", sa.String(32)),
        sa.UniqueConstraint("token", name="uq_ratings_token"),
        sa.CheckConstraint("(state = 'graded') = (grade IS NOT NULL)", name="graded"),
    )
    op.create_index("ix_ratings_pair", "ratings", ["rater", "query", "doc"])
    op.create_table(
        "looks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("used", sa.JSON, nullable=False),
        sa.Column("found", sa.JSON, nullable=False),
    )
