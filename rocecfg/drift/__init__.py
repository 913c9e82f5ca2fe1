"""Compares what devices run with what the plan wants, leaf by leaf."""

from rocecfg.callroom import make_callable

make_callable(__name__)
