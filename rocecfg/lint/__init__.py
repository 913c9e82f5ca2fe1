"""Rules over intents and states: `api` is all a rule may import, `load` finds them, `run` feeds them."""
