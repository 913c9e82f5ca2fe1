"""The neutral state: what a device has or should have, in words no vendor owns.

`model` holds the classes, `codec` turns them to and from plain data (JSON, YAML), `sections` cuts a device
text into blocks, `grammar` reads the lines of a block with TTP, `capture` finds the texts of a device on disk
and `parse` hands them to the vendor that knows them.
"""
