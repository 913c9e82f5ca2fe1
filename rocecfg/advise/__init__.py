"""`rocecfg advise`: from what somebody plans to the interconnect that fits, with every reason and its source.

The modules:

situation   the file with the questions, as facts by dotted name
knowledge   `vendors/advice/`: rules of thumb, choices, words, each in two languages
judge       facts and knowledge to an `Advice`
changes     which single other answer would change the verdict
costs       what the equipment costs, from the user's own prices
intent      a starter intent for the RoCE verdicts
report      the advice as text, Markdown or JSON
questions   the same questions on a terminal
"""
