"""Rules over intents and states: `api` is all a rule may import, `load` finds them, `run` feeds them."""

from rocecfg.callroom import make_callable

make_callable(__name__)
