"""Tables and the events of their ledgers."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the first schema."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("public_id", sa.String(16), nullable=False, unique=True),
        sa.Column("players", sa.JSON, nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("first_dealer", sa.Integer, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("pin_salt", sa.LargeBinary, nullable=False),
        sa.Column("pin_hash", sa.LargeBinary, nullable=False),
        sa.Column("rematch_of", sa.Integer, sa.ForeignKey("tables.id"), unique=True),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event", sa.JSON, nullable=False),
        sa.Column("event_id", sa.String(64), nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sa.UniqueConstraint("table_id", "event_id"),
    )
