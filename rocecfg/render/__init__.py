"""From a fitted state to files: one Jinja2 environment, checked against the vendor's evidence, written atomically."""
