"""Tests of the command line; a package, so that its conftest does not stand for the one above."""
