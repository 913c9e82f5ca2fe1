{% raw %}
# ---- all of one port ----------------------------------------------------------------------------------------------

pfc_extra() { return 1; }

pfc_warning() { note "WARNING: changing the PFC priorities takes the link of $IF down and up on some drivers"; }

apply_port() {
  check_speed
  check_network_manager
  apply_pause # before PFC: the two exclude each other
  apply_owner
  apply_trust
  apply_map
  apply_apps
  apply_scheduler # before PFC: some drivers look up the TCs of its priorities
  apply_pfc
  apply_rates
  apply_mtu
  apply_storm_timeout
  if wants roce_mode || wants roce_tos; then
    if [[ $DEV == auto ]]; then DEV=$(find_rdma_device); fi
    if [[ -z $DEV ]]; then fail "no RDMA device found for it: name it in the intent"; else apply_cm; fi
  fi
}

choose_tool() {
  TOOL=dcb
  have dcb && return 0
  fail "dcb is not installed (iproute2 5.11 or newer has it)"
  return 1
}

say_rest() { :; }
{% endraw %}
