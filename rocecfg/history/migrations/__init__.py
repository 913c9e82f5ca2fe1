"""Schema migrations of the history, run by alembic."""
