"""Wrong PINs are counted, devices stay unlocked, and a table keeps evidence."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the count of wrong PINs, the devices that may write and the evidence."""
    op.add_column("tables", sa.Column("wrong_pins", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("pin_locked_until", sa.DateTime))
    op.create_table(
        "devices",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("unlocked", sa.DateTime, nullable=False),
    )
    op.create_table(
        "evidence",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("line", sa.Integer),
        sa.Column("mime", sa.String(32), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "line"], ["events.table_id", "events.line"]),
    )
