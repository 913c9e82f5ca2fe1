"""From a fabric to the state each device shall have, every number with its reason.

`classes` numbers the traffic classes, `port` works out what one kind of port needs, `nic` what a NIC adds,
`resolve` does it for all devices and lets each system fit what it can carry, `numbers` shows the result.
"""

from rocecfg.callroom import make_callable

make_callable(__name__)
