"""From a fitted state to files: one Jinja2 environment, checked against the vendor's evidence, written atomically."""

from rocecfg.callroom import make_callable

make_callable(__name__)
