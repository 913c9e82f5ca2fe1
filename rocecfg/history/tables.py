"""The tables of the history. Times are UTC, without a zone in SQLite."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

audits = Table(
    "audits",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fabric", String(200), nullable=False),
    Column("started", DateTime, nullable=False),
    Column("finished", DateTime, nullable=False),
    Column("tool", String(40), nullable=False),
    Column("devices", Integer, nullable=False),
    Column("unread", Integer, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("warnings", Integer, nullable=False),
    Column("infos", Integer, nullable=False),
    Column("new", Integer, nullable=False),
    Column("resolved", Integer, nullable=False),
    Index("ix_audits_fabric_started", "fabric", "started"),
)

readings = Table(
    "readings",
    metadata,
    Column("audit", Integer, ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True),
    Column("device", String(253), primary_key=True),
    Column("nos", String(60), nullable=False),
    Column("status", String(10), nullable=False),
    Column("rule", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("digest", String(64), nullable=False),
)

findings = Table(
    "findings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fabric", String(200), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("rule", String(40), nullable=False),
    Column("name", String(120), nullable=False),
    Column("severity", Integer, nullable=False),
    Column("device", String(253), nullable=False),
    Column("object", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("help", Text, nullable=False),
    Column("file", Text, nullable=False),
    Column("line", Integer, nullable=False),
    Column("first_seen", DateTime, nullable=False),
    Column("last_seen", DateTime, nullable=False),
    Column("resolved", DateTime, nullable=True),
    Column("times", Integer, nullable=False),
    UniqueConstraint("fabric", "fingerprint", name="uq_findings_fabric_fingerprint"),
    Index("ix_findings_fabric_resolved", "fabric", "resolved"),
)
"""One row a finding, however often it was seen; `times` counts how often it came, so 2 = it came back."""
