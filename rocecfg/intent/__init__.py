"""The intent: one small YAML file that says what a RoCE fabric shall be.

How the planner uses it:

    from rocecfg.intent.load import load_intent
    from rocecfg.intent.expand import expand

    intent = load_intent("pod1.roce.yaml", known_systems={"nos": [...], "nic": [...]})   # IntentError: all problems
    fabric = expand(intent)                                                              # IntentError

    fabric.classes                     name -> FabricClass, in file order, `default` always among them
    fabric.devices                     name -> FabricDevice: kind switch|host, system, model, role, release, asic
    fabric.devices["leaf1"].ports      name -> FabricPort: speed (bit/s), cable_m, media, peer, place
    fabric.links                       FabricLink: a, b (PortRef), speed, cable, place
    fabric.settings("leaf1")           merged settings of the device: preset < fabric < role < device lines
    fabric.settings("leaf1", "swp1")   the same with the port's own lines on top
        .pfc_headroom.value            base unit (bytes, ns, m, percent points); None = auto, the planner decides
        .pfc_headroom.because          "device leaf[1-2] (pod1.roce.yaml:9)": goes into the plan's reasons
    fabric.intent.suppressions         what `# rocecfg: ignore` comments and `ignore:` lists silence

Equal settings are one object (compare with `is`, cache by `id`). A link to a device that does not exist is in
`links` and in nobody's `ports`; two links on one port are both in `links`: lint rules judge that, not the loader.

Modules: `shape` (parts and fields), `model` (the parts of the file), `fields` (readers of single values),
`validation` (the whole file through pydantic's engine), `presets` (well-known platforms), `patterns` (ranges),
`links` (bulk), `checks`, `load`, `settings` (levels), `fabric` (the expanded objects), `expand`, `schema` (JSON
Schema), `starter`. Nothing here imports more than ruamel.yaml and pydantic_core, pydantic's engine without its
models.
"""
