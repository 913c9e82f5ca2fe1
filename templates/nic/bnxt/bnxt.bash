{% raw %}
# ---- congestion control of bnxt_re --------------------------------------------------------------------------------

# with the CNP service type 1 the firmware owns the DSCP and priority of RoCE packets and CNPs
cnp_service_type() {
  local info=$ROOT/sys/kernel/debug/bnxt_re/$DEV/info
  if [[ -r $info ]]; then awk '/fw_service_prof_type_sup/ { print $3 }' "$info"; fi
}

# cc_value FILE WANTED WHAT: compares a number of the folder $CC, and stages what differs
cc_value() {
  local is
  if [[ ! -e $CC/$1 ]]; then
    note "this driver has no $1"
    return 0
  fi
  is=$(read_file "$CC/$1")
  if [[ $is =~ ^(0x[0-9a-fA-F]+|[0-9]+)$ ]]; then is=$((is)); fi
  if differs "$3" "$is" "$2"; then
    # hexadecimal: older drivers read their DSCPs so, newer ones take both
    run write "$CC/$1" "$(printf '0x%x' "$2")"
    STAGED=yes
  fi
}

apply_cc() {
  local made=no on=0 type STAGED=no folder=$ROOT/sys/kernel/config/bnxt_re
  wants congestion_control || wants cnp_dscp || wants cnp_priority || return 0
  [[ ${WANT[congestion_control]:-} != dcqcn ]] || on=1
  if [[ -d $folder ]]; then
    CC=$folder/$DEV/ports/1/cc
    if [[ ! -d $folder/$DEV ]]; then
      mkdir "$folder/$DEV" # the driver fills it; a folder that stays keeps the driver from being unloaded
      made=yes
    fi
    apply_cc_files "$on" ecn_enable ecn_marking
    type=$(cnp_service_type)
    if [[ $type == 1 ]]; then
      note "the firmware owns the DSCP and priority of CNPs (CNP service type 1)"
    else
      if wants cnp_dscp; then cc_value cnp_dscp "${WANT[cnp_dscp]}" "CNP DSCP"; fi
      if wants cnp_priority; then cc_value cnp_prio "${WANT[cnp_priority]}" "CNP priority"; fi
      if wants roce_dscp; then cc_value roce_dscp "${WANT[roce_dscp]}" "RoCE DSCP"; fi
      if wants roce_priority; then cc_value roce_prio "${WANT[roce_priority]}" "RoCE priority"; fi
    fi
    if [[ $STAGED == yes && -e $CC/apply ]]; then run write "$CC/apply" 0x1; fi
    [[ $made == no ]] || rmdir "$folder/$DEV" 2>/dev/null || true
  elif [[ -d $ROOT/sys/kernel/debug/bnxt_re/$BDF/cc_config ]]; then
    CC=$ROOT/sys/kernel/debug/bnxt_re/$BDF/cc_config
    apply_cc_files "$on" enable_cc tos_ecn
  else
    note "this driver has neither configfs nor debugfs files of congestion control: nothing of it was compared"
  fi
}

# apply_cc_files ON SWITCH MARKING: the files that configfs and debugfs name differently
apply_cc_files() {
  local on
  if wants congestion_control; then
    cc_value "$2" "$1" "congestion control"
    [[ $1 == 0 ]] || cc_value cc_mode 1 "congestion control mode (1 = DCQCN)"
  fi
  if wants sets_ect; then
    if [[ ${WANT[sets_ect]} == on ]]; then cc_value "$3" 1 "ECN bits of RoCE packets"; else cc_value "$3" 0 "ECN bits of RoCE packets"; fi
  fi
  if wants trust && [[ -e $CC/disable_prio_vlan_tx ]]; then
    # with DSCP no priority tag is put before RoCE packets
    if [[ ${WANT[trust]} == dscp ]]; then on=1; else on=0; fi
    cc_value disable_prio_vlan_tx "$on" "no priority VLAN tag"
  fi
}

# ---- all of one port ----------------------------------------------------------------------------------------------

pfc_extra() { return 1; }

pfc_warning() { note "WARNING: changing the TCs or the PFC priorities may close and open $IF"; }

# another number of TCs makes the driver close and open the port
leave_scheduler() {
  local MODE=check before=$DIFFERENCES
  [[ $PASS == first ]] || return 0
  apply_scheduler
  ((DIFFERENCES > before)) || return 0
  note "TCs left as they are (--no-flap)"
  LEFT=$((LEFT + DIFFERENCES - before))
}

apply_port() {
  DSCP_REST=0
  check_speed
  check_network_manager
  if [[ ${IS[agent]:-} == firmware ]]; then
    fail "the firmware's LLDP agent owns DCB and the driver takes no setting: turn the agent off in NVRAM (UEFI setup of the NIC) and reboot"
    return 0
  fi
  apply_pause # before PFC: the two exclude each other
  apply_owner
  apply_trust
  apply_map
  apply_apps
  # before PFC: the driver looks up the TCs of its priorities
  if [[ $FLAP == no && $MODE == apply ]]; then leave_scheduler; else apply_scheduler; fi
  apply_pfc
  apply_mtu
  apply_storm_timeout
  if [[ $DEV == auto ]]; then DEV=$(find_rdma_device); fi
  if [[ -z $DEV ]]; then
    fail "no RDMA device found for it: name it in the intent (a bond has bnxt_re_bond0)"
  else
    apply_cm
    apply_cc
  fi
}

choose_tool() {
  if have dcb; then TOOL=dcb; elif have niccli; then TOOL=niccli; else
    fail "neither dcb (iproute2) nor niccli is installed"
    return 1
  fi
}

say_rest() { :; }
{% endraw %}
