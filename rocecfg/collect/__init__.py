"""Live devices: inventories, read-only sessions, captures. Nothing here ever writes to a device."""
