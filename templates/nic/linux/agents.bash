{% raw %}
# ---- who else writes these settings -------------------------------------------------------------------------------

# lldpad writes what its own file says whenever it starts, over what stands in the driver
check_agents() {
  local unit
  have systemctl || return 0
  for unit in lldpad.socket lldpad.service; do
    systemctl is-active --quiet "$unit" || continue
    if differs "$unit" running stopped; then run systemctl stop "$unit"; fi
  done
}
{% endraw %}
