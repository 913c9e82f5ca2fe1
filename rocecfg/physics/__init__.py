"""The physics of lossless Ethernet as pure functions: bytes on the wire, thresholds, marking ramps, watchdog timers.

Every result is a `Derived`: the value, its unit, the sentence that argues for it and the terms it is the sum of.
Nothing here reads a file: chips come as data (`chip.Chip`, read by `rocecfg.vendor.asics`), and what differs between
them is a law (`laws`) with numbers.
"""
