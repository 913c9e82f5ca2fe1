"""An intent from what runs today: captures or NetBox become a `*.roce.yaml` that a person goes on with.

`captures` and `netbox` find devices, ports and cables; `roles` guesses what a device does; `classes` and `knobs` read
the numbers that most devices agree on; `draft` holds the file to be, `text` writes it, `names` and `cables` make
patterns of a thousand lines. Everything guessed carries a comment; what single devices have otherwise is counted.
"""
