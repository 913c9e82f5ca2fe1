"""The way back to the intent for a device that drifted: commands, their undo, order and risk. Files, never applied."""
