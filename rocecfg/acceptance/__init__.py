"""Acceptance of a fabric: what to run on it, and whether what came out proves that it carries RoCE."""
