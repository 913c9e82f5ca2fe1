"""An incast on a planned switch: which numbers it has, what a stepped model makes of them, what to conclude.

`scene` chooses the ports and `reading` takes their numbers from a plan, `model` steps through time (needs numpy),
`judge` compares with the closed form and says which acts first. Advice, never proof: docs/simulate.md says how good.
"""
