{% raw %}
# ---- the firmware's agent, and congestion control of irdma --------------------------------------------------------

apply_agent() {
  local text is
  wants fw_lldp_agent || return 0
  text=$(ethtool --show-priv-flags "$IF" 2>&1) || {
    fail "ethtool --show-priv-flags: $text"
    return 1
  }
  is=$(awk '$1 == "fw-lldp-agent" { print $NF }' <<<"$text")
  if [[ -z $is ]]; then
    note "this driver has no fw-lldp-agent switch: whether the firmware's LLDP agent runs is not known"
  elif differs "firmware LLDP agent (kept over reboots)" "$is" "${WANT[fw_lldp_agent]}"; then
    run ethtool --set-priv-flags "$IF" fw-lldp-agent "${WANT[fw_lldp_agent]}"
    [[ $MODE != apply || $PASS == again ]] || read_again || return 1
  fi
}

apply_cc() {
  local folder=$ROOT/sys/kernel/config/irdma file made=no on=0
  wants congestion_control || return 0
  [[ ${WANT[congestion_control]} != dcqcn ]] || on=1
  if [[ ! -d $folder ]]; then
    note "irdma has no configfs folder (Intel's driver has): congestion control was not compared"
    return 0
  fi
  if [[ ! -d $folder/$DEV ]]; then
    mkdir "$folder/$DEV" # the driver fills it; a folder that stays keeps the driver from being unloaded
    made=yes
  fi
  file=$folder/$DEV/roce_dcqcn_enable
  if [[ ! -e $file ]]; then
    fail "no roce_dcqcn_enable: does the device run RoCEv2?"
  elif differs DCQCN "$(read_file "$file")" "$on"; then
    run write "$file" "$on"
  fi
  [[ $made == no ]] || rmdir "$folder/$DEV" 2>/dev/null || true
}

# iWARP devices are called RNIC (kernel ABI sysfs-class-infiniband)
check_transport() {
  [[ $(read_file "$ROOT/sys/class/infiniband/$DEV/node_type") == *RNIC* ]] || return 0
  fail "$DEV runs iWARP, not RoCEv2: put \"options irdma roce_ena=1\" into /etc/modprobe.d/irdma.conf and load irdma again"
  return 1
}

# ---- all of one port ----------------------------------------------------------------------------------------------

pfc_extra() { return 1; }

pfc_warning() { note "WARNING: every change of DCB closes and opens $IF and resets RDMA on it"; }

apply_dcb() {
  apply_owner
  apply_trust
  apply_dscp_map
  [[ $MODE != apply || $PASS == again ]] || read_again || return 0 # entering DSCP mode sets ETS anew
  apply_tcs
  apply_pfc
}

# compare_dcb: says what differs and writes nothing
compare_dcb() {
  local MODE=check FLAP=yes before=$DIFFERENCES
  apply_dcb
  ((DIFFERENCES > before))
}

apply_port() {
  local before=$DIFFERENCES
  check_speed
  check_network_manager
  fill_defaults
  apply_pause # before PFC: the two exclude each other
  if [[ -e $ROOT/sys/class/net/$IF/master && $MODE == apply ]]; then
    # the driver blocks changes of DCB on members of a bond
    if [[ $PASS == first ]] && compare_dcb; then
      fail "a member of a bond takes no change of DCB: take it out of the bond, run this script, put it back"
    fi
  elif [[ $FLAP == no && $MODE == apply ]]; then
    if [[ $PASS == first ]]; then
      before=$DIFFERENCES
      if compare_dcb; then
        note "DCB settings left as they are (--no-flap)"
        LEFT=$((LEFT + DIFFERENCES - before))
      fi
    fi
  else
    apply_agent || return 0
    apply_dcb
  fi
  apply_mtu
  if [[ $DEV == auto ]]; then DEV=$(find_rdma_device); fi
  if [[ -z $DEV ]]; then
    fail "no RDMA device found for it: name it in the intent"
  elif check_transport; then
    apply_cm
    apply_cc
  fi
}

choose_tool() {
  TOOL=ice
  have dcb && return 0
  fail "dcb is not installed (iproute2 5.11 or newer has it)"
  return 1
}

say_rest() { :; }
{% endraw %}
