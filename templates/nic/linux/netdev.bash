{% raw %}
# ---- the netdev ---------------------------------------------------------------------------------------------------

apply_pause() {
  local side text words=()
  wants pause_rx || wants pause_tx || return 0
  text=$(ethtool -a "$IF" 2>&1) || {
    fail "ethtool -a: $text"
    return 0
  }
  for side in rx tx; do
    wants "pause_$side" || continue
    if differs "802.3x pause $side" "$(awk -v side="${side^^}:" '$1 == side { print $2 }' <<<"$text")" \
      "${WANT[pause_$side]}"; then
      words+=("$side" "${WANT[pause_$side]}")
    fi
  done
  if ((${#words[@]})); then run ethtool -A "$IF" autoneg off "${words[@]}"; fi
}

apply_mtu() {
  wants mtu || return 0
  if differs MTU "$(read_file "$ROOT/sys/class/net/$IF/mtu")" "${WANT[mtu]}"; then
    run ip link set dev "$IF" mtu "${WANT[mtu]}"
  fi
}

apply_storm_timeout() {
  wants pause_storm_timeout || return 0
  local text
  text=$(ethtool --get-tunable "$IF" pfc-prevention-tout 2>&1) || {
    if [[ $text == *"not supported"* ]]; then
      note "this driver has no pause storm timeout"
      return 0
    fi
    fail "ethtool --get-tunable pfc-prevention-tout: $text"
    return 0
  }
  if differs "pause storm timeout (ms)" "$(awk 'NF { last = $NF } END { print last }' <<<"$text")" \
    "${WANT[pause_storm_timeout]}"; then
    run ethtool --set-tunable "$IF" pfc-prevention-tout "${WANT[pause_storm_timeout]}"
  fi
}

check_speed() {
  wants link_speed || return 0
  local speed
  speed=$(read_file "$ROOT/sys/class/net/$IF/speed" 2>/dev/null || true)
  [[ ! $speed =~ ^[1-9][0-9]*$ || $speed == "${WANT[link_speed]}" ]] ||
    note "the link runs at $speed Mb/s, the settings were made for ${WANT[link_speed]} Mb/s"
}

# NetworkManager sets MTU and pause again whenever it brings a connection up
check_network_manager() {
  local connection value
  have nmcli || return 0
  connection=$(nmcli -g GENERAL.CONNECTION device show "$IF" 2>/dev/null) || return 0
  [[ -n $connection ]] || return 0
  value=$(nmcli -g 802-3-ethernet.mtu connection show "$connection" 2>/dev/null) || return 0
  if wants mtu && [[ $value =~ ^[1-9][0-9]*$ && $value != "${WANT[mtu]}" ]]; then
    note "NetworkManager sets MTU $value with every activation of \"$connection\": nmcli connection modify \"$connection\" 802-3-ethernet.mtu ${WANT[mtu]}"
  fi
  value=$(nmcli -g dcb.priority-flow-control-flags connection show "$connection" 2>/dev/null) || return 0
  if [[ $value =~ ^[1-9] ]]; then
    note "NetworkManager sets DCB (CEE, through lldpad) with every activation of \"$connection\": remove its dcb settings"
  fi
}
{% endraw %}
