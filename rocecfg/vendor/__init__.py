"""What the engine asks of a vendor: `api` is the contract, `manifest` its data, `registry` finds the folders."""
