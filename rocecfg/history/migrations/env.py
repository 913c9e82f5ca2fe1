"""Alembic's entry: the connection is handed over by `rocecfg.history.database`, never opened here."""

from __future__ import annotations

from alembic import context

from rocecfg.history.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
