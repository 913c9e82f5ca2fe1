"""Inventories: nornir files, Ansible YAML and `ansible-inventory --list` JSON, NetBox, CSV and plain YAML.

targets = read("inventory/")                   # a folder or file, told apart by content
targets = read("netbox", limit=["role=leaf"])  # NETBOX_URL and NETBOX_TOKEN; or an https:// address
"""

from rocecfg.collect.inventory.read import read

__all__ = ["read"]
