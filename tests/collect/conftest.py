"""Imported before any session thread runs: CPython 3.11 can fail to compile a module later on (gh-106905)."""

import hypothesis

assert hypothesis
