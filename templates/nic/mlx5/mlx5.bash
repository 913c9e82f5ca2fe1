{% raw %}
# ---- what only mlx5 has -------------------------------------------------------------------------------------------

RESET=() # cards whose firmware values wait for a reset

pfc_warning() { note "WARNING: changing the PFC priorities takes the link of $IF down and up"; }

pfc_extra() {
  DCB_PFC_MORE=(delay "${WANT[cable]:-${IS[cable]:-7}}")
  wants cable || return 1
  differs "cable length (m)" "${IS[cable]:-}" "${WANT[cable]}"
}

apply_traffic_class() {
  wants traffic_class || return 0
  local file=$ROOT/sys/class/infiniband/$DEV/tc/$RDMA_PORT/traffic_class is
  if [[ ! -e $file ]]; then
    note "this driver cannot force a traffic class: applications must ask for ${WANT[traffic_class]} (NCCL_IB_TC)"
    return 0
  fi
  is=$(sed -n -E 's/^(Global tclass=)?([0-9]+)$/\2/p' "$file")
  if differs "traffic class of all RoCE" "$is" "${WANT[traffic_class]}"; then
    run write "$file" "${WANT[traffic_class]}"
  fi
}

# ---- congestion control -------------------------------------------------------------------------------------------

apply_cc_switches() {
  local ecn=$ROOT/sys/class/net/$IF/ecn key point place wanted
  for key in cc_receives cc_reacts; do
    wants "$key" || continue
    point=roce_np
    [[ $key == cc_receives ]] || point=roce_rp
    if [[ ! -d $ecn/$point/enable ]]; then
      note "no $point switches in this driver: the firmware value ROCE_CC_PRIO_MASK decides"
      continue
    fi
    for place in 0 1 2 3 4 5 6 7; do
      wanted=0
      [[ ",${WANT[$key]}," != *",$place,"* ]] || wanted=1
      if differs "$point on priority $place" "$(read_file "$ecn/$point/enable/$place")" "$wanted"; then
        run write "$ecn/$point/enable/$place" "$wanted"
      fi
    done
  done
}

# cc_number NAME WANTED SYSFS DEBUGFS: sets a DCQCN number where this driver keeps it
cc_number() {
  local file
  for file in "$ROOT/sys/class/net/$IF/ecn/$3" "$ROOT/sys/kernel/debug/mlx5/$BDF/cc_params/$4"; do
    [[ -e $file ]] || continue
    if differs "$1" "$(read_file "$file")" "$2"; then run write "$file" "$2"; fi
    return 0
  done
  note "this driver has no file for $1"
}

apply_cc_numbers() {
  local key name sysfs debugfs
  if wants cnp_dscp; then cc_number "CNP DSCP" "${WANT[cnp_dscp]}" roce_np/cnp_dscp np_cnp_dscp; fi
  if wants cnp_priority; then cc_number "CNP priority" "${WANT[cnp_priority]}" roce_np/cnp_802p_prio np_cnp_prio; fi
  for key in "${KEYS[@]}"; do
    [[ $key == cc_parameter.* ]] || continue
    name=${key#cc_parameter.}
    sysfs=roce_rp/$name
    case $name in
      min_time_between_cnps) sysfs=roce_np/$name debugfs=np_$name ;;
      clamp_tgt_rate_after_time_inc) debugfs=rp_clamp_tgt_rate_ati ;;
      rpg_*) debugfs=rp_${name#rpg_} ;;
      *) debugfs=rp_$name ;;
    esac
    cc_number "$name" "${WANT[$key]}" "$sysfs" "$debugfs"
  done
}

# ---- firmware: values of the next boot ----------------------------------------------------------------------------

apply_firmware() {
  local tool='' key name row current next text port sets=()
  [[ " ${KEYS[*]} " == *" firmware."* ]] || return 0
  for name in mlxconfig mstconfig; do if have "$name"; then tool=$name && break; fi; done
  if [[ -z $tool ]]; then
    note "neither mlxconfig nor mstconfig is installed: values of the next boot were not compared"
    return 0
  fi
  # the card numbers its ports from 1, PCI numbers its functions from 0
  port=P$((${BDF##*.} + 1))
  text=$("$tool" -d "$BDF" -e q 2>&1) || {
    fail "$tool -d $BDF -e q failed: ${text##*$'\n'}"
    return 0
  }
  for key in "${KEYS[@]}"; do
    [[ $key == firmware.* ]] || continue
    name=${key#firmware.}
    # a row is: [*] [RO] NAME default current next; older firmware has no default and current columns
    row=$(awk -v one="$name" -v other="${name}_$port" '
      { for (i = 1; i <= 3 && i < NF; i++) if ($i == one || $i == other) { print $i, (NF - i > 1 ? $(NF - 1) : "-"), $NF; exit } }' <<<"$text")
    if [[ -z $row ]]; then
      note "the firmware has no $name"
      continue
    fi
    read -r name current next <<<"$row"
    if [[ $next =~ \(([0-9]+)\)$ ]]; then next=${BASH_REMATCH[1]}; fi
    if [[ $current =~ \(([0-9]+)\)$ ]]; then current=${BASH_REMATCH[1]}; fi
    if differs "firmware $name at the next boot" "$next" "${WANT[$key]}"; then
      sets+=("$name=${WANT[$key]}")
    elif [[ $current != - && $current != "$next" ]]; then
      RESET+=("$BDF")
    fi
  done
  if ((${#sets[@]})); then
    run "$tool" -y -d "$BDF" set "${sets[@]}"
    RESET+=("$BDF")
  fi
}

# ---- all of one port ----------------------------------------------------------------------------------------------

apply_port() {
  check_speed
  check_network_manager
  apply_pause # before PFC: the two exclude each other
  apply_owner
  apply_trust
  apply_map
  apply_pfc
  apply_scheduler
  apply_rates
  apply_buffers
  apply_mtu
  apply_storm_timeout
  if [[ $DEV == auto ]]; then DEV=$(find_rdma_device); fi
  if [[ -z $DEV ]]; then
    fail "no RDMA device found for it: name it in the intent (a bond has mlx5_bond_0)"
  else
    apply_cm
    apply_traffic_class
  fi
  apply_cc_switches
  apply_cc_numbers
  apply_firmware
}

choose_tool() {
  if have mlnx_qos; then TOOL=mlnx_qos; elif have dcb; then TOOL=dcb; else
    fail "neither mlnx_qos nor dcb is installed"
    return 1
  fi
}

check_agents() {
  if have systemctl && systemctl is-active --quiet lldpad; then
    note "WARNING: lldpad is running and may overwrite these settings"
  fi
}

say_rest() {
  local card
  while read -r card; do
    [[ -z $card ]] || say "firmware values wait for a reset of $card: mlxfwreset -d $card reset (or a reboot)"
  done < <(printf '%s\n' "${RESET[@]:-}" | sort -u)
}
{% endraw %}
