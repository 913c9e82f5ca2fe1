"""Show."""
from __future__ import annotations
def is_show(text): return False
def read_show(text, facts): ...
