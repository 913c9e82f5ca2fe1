#!/usr/bin/env bash
# Loads config_db.json (beside this file) into the running CONFIG_DB of leaf1, proves that it arrived, and saves.
#
#   sudo ./apply.sh           checkpoint, load, verify, save
#   sudo ./apply.sh --check   only say what would change
#
# SONiC has no commit-confirmed. What protects you: nothing is written before a checkpoint exists, a step that fails
# rolls back to it, and /etc/sonic/config_db.json is saved only after every row was read back from the database.
# Lossless traffic is disturbed for moments while queues and buffers are rebound: use a maintenance window.
set -Eeuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
file="$here/config_db.json"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$(id -u)" -eq 0 ] || { echo "run as root: sudo $0" >&2; exit 1; }

# Compares the file with the running database. Prints what is wrong, and writes a JSON patch that removes what would
# stay behind: `config load` adds and overwrites rows but removes none, so an older row such as QUEUE|Ethernet0|3-4
# would go on covering queue 4, and an older field such as a dot1p map would go on classifying.
cat >"$work/compare.py" <<'PYTHON'
import json, sys
wanted, running = (json.load(open(path)) for path in sys.argv[1:3])
stage, patch_path, model = sys.argv[3:6]
ports = set(wanted["PORT_QOS_MAP"])
def fields(row): return {name: ",".join(value) if isinstance(value, list) else str(value) for name, value in row.items() if name != "NULL"}
def pointer(*parts): return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)
problems, removals = [], []
WHOLE = {"PORT_QOS_MAP", "QUEUE", "PFC_WD", "WRED_PROFILE", "SCHEDULER", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"}
have_model = running.get("DEVICE_METADATA", {}).get("localhost", {}).get("buffer_model", "traditional")
if have_model != model:
    problems.append(f"buffer_model is {have_model} and this file is made for {model} (config qos reload changes it)")
for port in sorted(ports - set(running.get("PORT", {}))):
    problems.append(f"the switch has no port {port}")
for table, rows in wanted.items():
    for key, row in rows.items():
        have = fields(running.get(table, {}).get(key, {}))
        for name, value in row.items():
            if stage == "after" and have.get(name) != value:
                problems.append(f"{table}|{key} {name}: {value} expected, {have.get(name)} found")
        if table in WHOLE and key in running.get(table, {}):
            removals += [(table, key, name) for name in have if name not in row and name != "pfc_stat_history"]
        if table == "BUFFER_POOL" and "xoff" in have and "xoff" not in row:  # no live patch may touch a pool
            problems.append(f"{key} has xoff {have['xoff']}: all ports would share that headroom; take it out of"
                            " config_db.json and run config reload first")
for table in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PFC_WD"):
    generated = table == "BUFFER_PG" and model == "traditional"
    if generated or (table not in wanted and table not in {"QUEUE", "PFC_WD"}):
        continue  # a table that the file leaves to the SKU; without a watchdog no row of one may stay
    for key in running.get(table, {}):
        if key.split("|")[0] in ports and key not in wanted.get(table, {}):
            removals.append((table, key))
if stage == "after":
    problems += [f"{' '.join(parts)}: still there" for parts in removals]
json.dump([{"op": "remove", "path": pointer(*parts)} for parts in removals], open(patch_path, "w"))
print("\n".join(problems + [f"to be removed: {' '.join(parts)}" for parts in removals if stage == "before"]))
sys.exit(1 if problems else 0)
PYTHON
compare() { # before|after
  sonic-cfggen -d --print-data >"$work/running.json"
  python3 "$work/compare.py" "$file" "$work/running.json" "$1" "$work/stale.json" traditional
}

compare before || { echo "nothing was changed" >&2; exit 1; }
[ "${1:-}" != "--check" ] || exit 0

checkpoint="rocecfg-$(date +%Y%m%d-%H%M%S)"
config checkpoint "$checkpoint"
undo() {
  trap - ERR
  echo "failed, rolling back to $checkpoint" >&2
  config rollback "$checkpoint"
  exit 1
}
trap undo ERR

# Pools are not in the file: the SKU's stock ones stay in force. buffermgrd makes the lossless priority groups from
# pg_profile_lookup.ini by speed and cable length, and their profiles with them.

if [ "$(cat "$work/stale.json")" != "[]" ]; then
  config apply-patch "$work/stale.json"
fi
config load -y "$file"

# PORT rows stay with whoever provisions the ports; the MTU (of the IP packet) is part of the plan.
config interface mtu Ethernet0 9202
config interface mtu Ethernet4 9202

compare after || undo
show pfc priority
show pfcwd config
show buffer information

trap - ERR
config save -y
echo "saved; to go back: config rollback $checkpoint"
