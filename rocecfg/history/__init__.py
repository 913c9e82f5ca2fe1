"""Audits over time: which finding is new, since when it is there, what went away. SQLite file or PostgreSQL."""

from rocecfg.history.run import AuditRun, Reading
from rocecfg.history.store import record

__all__ = ["AuditRun", "Reading", "record"]
