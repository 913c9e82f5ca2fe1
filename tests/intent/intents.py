"""An intent that is right, for tests to break."""

GOOD = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp:  {dscp: 48, priority: 6, strict: true}
settings: {mtu: 9216, cable: 30m fibre, pfc: {headroom: 98KB}}
roles:
  leaf: {mtu: 9100, watchdog: {detect: 200ms}}
devices:
  leaf[1-2]:  {nos: nxos, model: N9K-C9364D-GX2A, role: leaf, release: 10.30}
  leaf2:      {mtu: 9000, pfc: {headroom: auto}}
  spine1:     {nos: sonic, role: spine, ports: {"Ethernet[0,8]": {mtu: 9150}, Ethernet64: {speed: 100G}}}
  gpu[01-08]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet1/[1-4]", b: "gpu[01-04]:rail0", speed: 400G, cable: 5m dac}
  - {a: "leaf[1-2]:Ethernet1/49", b: "spine1:Ethernet[0,8]", speed: 400G}
"""
SYSTEMS = {"nos": ["nxos", "sonic"], "nic": ["mlx5"]}
