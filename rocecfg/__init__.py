"""rocecfg: one intent for RoCE, every number with its reason, every device's configuration."""

__version__ = "0.1.0"
