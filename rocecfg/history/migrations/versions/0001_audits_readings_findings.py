"""Audits, what became of each device, findings with their life time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "audits",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("fabric", sa.String(200), nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("finished", sa.DateTime, nullable=False),
        sa.Column("tool", sa.String(40), nullable=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("devices", "unread", "errors", "warnings", "infos", "new", "resolved")
        ),
    )
    op.create_index("ix_audits_fabric_started", "audits", ["fabric", "started"])
    op.create_table(
        "readings",
        sa.Column("audit", sa.Integer, sa.ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("device", sa.String(253), primary_key=True),
        sa.Column("nos", sa.String(60), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("rule", sa.String(20), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_table(
        "findings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("fabric", sa.String(200), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("rule", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("severity", sa.Integer, nullable=False),
        sa.Column("device", sa.String(253), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("object", "message", "help", "file")),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("first_seen", sa.DateTime, nullable=False),
        sa.Column("last_seen", sa.DateTime, nullable=False),
        sa.Column("resolved", sa.DateTime, nullable=True),
        sa.Column("times", sa.Integer, nullable=False),
        sa.UniqueConstraint("fabric", "fingerprint", name="uq_findings_fabric_fingerprint"),
    )
    op.create_index("ix_findings_fabric_resolved", "findings", ["fabric", "resolved"])


def downgrade() -> None:
    """Remove the three tables."""
    for table in ("findings", "readings", "audits"):
        op.drop_table(table)
