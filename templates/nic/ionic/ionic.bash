{% raw %}
# ---- all of one port ----------------------------------------------------------------------------------------------

pfc_extra() { return 1; }

pfc_warning() { note "PFC changes: frames of these priorities may be lost for a moment on $IF"; }

check_bitmap() {
  local mask=${IS[pfc_bitmap]:-} priority list=''
  [[ $PASS == first && $mask =~ ^0x[0-9a-fA-F]+$ ]] || return 0
  for priority in 0 1 2 3 4 5 6 7; do
    if ((mask >> priority & 1)); then list+=",$priority"; fi
  done
  [[ ${list#,} == "${IS[pfc]:-}" || (-z $list && ${IS[pfc]:-} == none) ]] ||
    note "PFC frames are exchanged for priorities ${list#,}, buffers are kept for ${IS[pfc]:-none}: the two must agree"
}

apply_port() {
  check_speed
  check_network_manager
  check_bitmap
  apply_pause_type
  drop_stale_pfc
  apply_trust
  apply_map # before scheduling, which refuses a priority without a DSCP
  apply_pfc
  apply_schedule
  apply_mtu
  apply_port_mtu
  if [[ $DEV == auto ]]; then DEV=$(find_rdma_device); fi
  if [[ -z $DEV ]]; then fail "no RDMA device found for it: name it in the intent"; else apply_dcqcn; fi
}

choose_tool() {
  TOOL=nicctl
  have nicctl && return 0
  fail "nicctl is not installed (AMD AI NIC tools, of the version of the card's firmware)"
  return 1
}

check_agents() { :; } # the NIC has no DCBX

say_rest() { :; }
{% endraw %}
