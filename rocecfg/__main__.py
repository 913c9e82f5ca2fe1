"""`python -m rocecfg`."""

from rocecfg.cli import main

main()
