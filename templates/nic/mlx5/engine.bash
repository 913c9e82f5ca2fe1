{% raw %}
readonly ROOT=${ROCECFG_ROOT:-} # a folder that stands for / in tests
readonly RDMA_PORT=1            # every mlx5 device has one port
MODE=apply FLAP=yes PASS=first
DIFFERENCES=0 LEFT=0 FAILED=0 RESET=()
IF='' DEV='' BDF='' TOOL=''
declare -A WANT=() IS=()
KEYS=()

say() { printf '%s\n' "$*"; }
note() { [[ $PASS == again ]] || printf '%s\n' "${IF:+$IF: }$*" >&2; }
fail() {
  printf '%s\n' "error: ${IF:+$IF: }$*" >&2
  FAILED=$((FAILED + 1))
}
have() { command -v "$1" >/dev/null 2>&1; }
wants() { [[ -v WANT[$1] ]]; }

settings() { WANT=() KEYS=(); }
want() {
  local key="${*:1:$#-1}"
  key=${key// /.}
  KEYS+=("$key")
  WANT[$key]=${!#}
}

# differs WHAT IS WANTED: succeeds when they differ, and says so
differs() {
  [[ $2 != "$3" ]] || return 1
  DIFFERENCES=$((DIFFERENCES + 1))
  if [[ $PASS == again ]]; then
    fail "$1 is still ${2:-unknown}, wanted $3"
  else
    say "$IF: $1 is ${2:-unknown}, wanted $3"
  fi
}

# run COMMAND...: runs it, or prints it, or neither, as the mode asks
run() {
  local output shown="$*"
  [[ $PASS == first ]] || return 0
  case $1 in
    write) shown="echo $3 > $2" ;;
    cm_value) shown="echo $3 > $CM/$DEV/ports/$RDMA_PORT/$2" ;;
  esac
  case $MODE in
    check) ;;
    diff) say "    would run: $shown" ;;
    apply)
      say "    run: $shown"
      output=$("$@" 2>&1) || fail "$shown failed: ${output:-no message}"
      ;;
  esac
}

write() { printf '%s\n' "$2" >"$1"; }
read_file() { if [[ -r $1 ]]; then tr -d '\n' <"$1"; fi; }

# expand 0-2:0,26:3 to one "code class" a line
expand() {
  local run codes code
  for run in ${1//,/ }; do
    codes=${run%:*}
    for ((code = ${codes%-*}; code <= ${codes#*-}; code++)); do printf '%d %s\n' "$code" "${run#*:}"; done
  done
}

# bits 3,4: eight words, yes at the listed places and no elsewhere
bits() {
  local place list=",$1," joined=''
  for place in 0 1 2 3 4 5 6 7; do
    if [[ $list == *",$place,"* ]]; then joined+="$2$4"; else joined+="$3$4"; fi
  done
  printf '%s' "${joined%"$4"}"
}

# ---- reading the DCB settings -------------------------------------------------------------------------------------

read_mlnx_qos() {
  mlnx_qos -i "$IF" -a | awk '
    /^DCBX mode:/ { print "owner", ($3 == "OS" ? "os" : "firmware") }
    /^Priority trust state:/ { print "trust", $4 }
    /^[ \t]+prio:[0-7] dscp:/ {
      split($1, prio, ":"); sub(/^dscp:/, "", $2); count = split($2, codes, ",")
      for (i = 1; i <= count; i++) if (codes[i] != "") print "dscp." codes[i] + 0, prio[2]
    }
    /^Receive buffer size/ {
      sub(/^[^:]*: */, ""); sub(/,[a-z_]+=.*/, ""); sub(/,[ \t]*$/, ""); print "buffer_bytes", $0
    }
    /^Cable len:/ { print "cable", $3 }
    /^[ \t]+enabled / { list = ""; for (i = 2; i <= 9; i++) if ($i == 1) list = list "," i - 2
                        print "pfc", (list == "" ? "none" : substr(list, 2)) }
    /^[ \t]+buffer / { list = ""; for (i = 2; i <= 9; i++) list = list "," $i; print "priority_to_buffer", substr(list, 2) }
    /^tc: / {
      tc = $2
      count = split($0, parts, ", ")
      rate = 0; scheduler = ""; share = 0
      for (i = 1; i <= count; i++) {
        if (parts[i] ~ /ratelimit:/) { sub(/.*ratelimit: */, "", parts[i]); rate = parts[i] + 0 }
        if (parts[i] ~ /^tsa:/) { split(parts[i], word, " "); scheduler = word[2] }
        if (parts[i] ~ /^bw:/) { split(parts[i], word, " "); share = word[2] + 0 }
      }
      print "scheduler." tc, scheduler; print "share." tc, share; print "rate." tc, rate
    }
    /^[ \t]+priority: / { print "tc." $2, tc }'
}

read_dcb() {
  dcb dcbx show dev "$IF" | awk '{ print "owner", ($0 ~ /(^| )host( |$)/ ? "os" : "firmware") }' &&
    dcb -N app show dev "$IF" | awk '
    $1 == "dscp-prio" { for (i = 2; i <= NF; i++) {
        split($i, pair, ":"); any = 1
        # a DSCP may stand there twice, with two priorities: then it equals nothing that is wanted
        if (pair[1] in seen) seen[pair[1]] = seen[pair[1]] "+" pair[2]
        else seen[pair[1]] = pair[2]
        print "dscp." pair[1], seen[pair[1]]
      } }
    END { print "trust", (any ? "dscp" : "pcp") }' &&
    dcb pfc show dev "$IF" | awk '
    $1 == "pfc-cap" { for (i = 1; i < NF; i++) if ($i == "delay") print "cable", $(i + 1) }
    $1 == "prio-pfc" { list = ""; for (i = 2; i <= NF; i++) { split($i, pair, ":"); if (pair[2] == "on") list = list "," pair[1] }
                       print "pfc", (list == "" ? "none" : substr(list, 2)) }' &&
    dcb ets show dev "$IF" | awk '
    $1 == "tc-bw" { for (i = 2; i <= NF; i++) { split($i, pair, ":"); print "share." pair[1], pair[2] } }
    $1 == "tc-tsa" { for (i = 2; i <= NF; i++) { split($i, pair, ":"); print "scheduler." pair[1], pair[2] } }
    $1 == "prio-tc" { for (i = 2; i <= NF; i++) { split($i, pair, ":"); print "tc." pair[1], pair[2] } }' || return 1
  if wants tc_rate; then
    # JSON counts bytes a second, whatever the unit of the text form
    dcb -j maxrate show dev "$IF" | tr -d '[]{}" ' | sed 's/^tc_maxrate://' |
      awk -F, '{ for (i = 1; i <= NF; i++) print "rate." i - 1, $i * 8 / 1000000000 }' || return 1
  fi
  if wants priority_to_buffer; then
    dcb -j buffer show dev "$IF" | tr -d '{}" ' | tr '[]' '  ' | awk '{
      for (i = 1; i < NF; i++) {
        if ($i ~ /prio_buffer:$/) print "priority_to_buffer", $(i + 1)
        if ($i ~ /buffer_size:$/) print "buffer_bytes", $(i + 1)
      } }'
  fi
}

read_port() {
  local text key value
  IS=()
  text=$("read_$TOOL") || {
    fail "$TOOL cannot read this port"
    return 1
  }
  while read -r key value; do [[ -z $key ]] || IS[$key]=$value; done <<<"$text"
}

# ---- DCB settings -------------------------------------------------------------------------------------------------

apply_owner() {
  wants dcb_owner || return 0
  if differs "owner of the DCB settings" "${IS[owner]:-}" "${WANT[dcb_owner]}"; then
    if [[ $TOOL == mlnx_qos ]]; then
      run mlnx_qos -i "$IF" -d "${WANT[dcb_owner]/firmware/fw}"
    elif [[ ${WANT[dcb_owner]} == os ]]; then
      run dcb dcbx set dev "$IF" host ieee
    else
      fail "dcb has no word that hands DCB to the firmware; mlnx_qos has"
    fi
  fi
}

apply_trust() {
  local code
  wants trust || return 0
  if differs trust "${IS[trust]:-}" "${WANT[trust]}"; then
    if [[ $TOOL == mlnx_qos ]]; then
      # a call of its own: mlnx_qos refuses --trust together with --dscp2prio. It also writes the driver's default map.
      run mlnx_qos -i "$IF" --trust "${WANT[trust]}"
      if [[ $MODE == apply && $PASS == first ]]; then
        read_port || return 0
      elif [[ ${WANT[trust]} == dscp ]]; then
        for ((code = 0; code < 64; code++)); do IS[dscp.$code]=$((code >> 3)); done
      fi
    elif [[ ${WANT[trust]} == pcp ]]; then
      run dcb app flush dev "$IF" dscp-prio
    fi # dcb: DSCP is trusted as soon as the table below has an entry
  fi
}

apply_map() {
  wants dscp_to_priority || return 0
  local code class is changes=() entries=()
  while read -r code class; do
    is=${IS[dscp.$code]:-}
    [[ $is != "$class" ]] || continue
    changes+=("$code:$class")
    entries+=(--dscp2prio "set,$code,$class")
  done < <(expand "${WANT[dscp_to_priority]}")
  ((${#changes[@]})) || return 0
  if differs "DSCP to priority" "different for ${#changes[@]} DSCPs" "${WANT[dscp_to_priority]}"; then
    if [[ $TOOL == mlnx_qos ]]; then
      run mlnx_qos -i "$IF" "${entries[@]}"
    else
      run dcb app replace dev "$IF" dscp-prio "${changes[@]}"
    fi
  fi
}

apply_pfc() {
  local pfc=${WANT[pfc]:-${IS[pfc]:-none}} cable=${WANT[cable]:-${IS[cable]:-7}} write=no words
  if wants cable && differs "cable length (m)" "${IS[cable]:-}" "$cable"; then write=yes; fi
  if [[ $FLAP == no && $PASS == again ]]; then
    pfc=${IS[pfc]:-none} # left alone in the first pass
  elif wants pfc && differs "PFC priorities" "${IS[pfc]:-}" "$pfc"; then
    if [[ $FLAP == no ]]; then
      note "PFC priorities left as they are (--no-flap)"
      LEFT=$((LEFT + 1))
      pfc=${IS[pfc]:-none}
    else
      note "WARNING: changing the PFC priorities takes the link of $IF down and up"
      write=yes
    fi
  fi
  [[ $write == yes ]] || return 0
  if [[ $TOOL == mlnx_qos ]]; then
    # both in one call: in older mlnx_qos each of them alone resets the other to 0
    run mlnx_qos -i "$IF" --pfc "$(bits "$pfc" 1 0 ,)" --cable_len "$cable"
  else
    words=all:off
    [[ $pfc == none ]] || words+=" ${pfc//,/:on }:on"
    # shellcheck disable=SC2086 # the words are separate arguments
    run dcb pfc set dev "$IF" prio-pfc $words delay "$cable"
  fi
}

# words 0,1,...: the list as dcb's place:value words
places() {
  local value place=0
  for value in ${1//,/ }; do
    printf '%d:%s ' "$place" "$value"
    place=$((place + 1))
  done
}

apply_scheduler() {
  wants priority_to_tc || return 0
  local tc is='' wanted='' place write=no map schedulers shares
  IFS=, read -ra map <<<"${WANT[priority_to_tc]}"
  IFS=, read -ra schedulers <<<"${WANT[tc_scheduler]}"
  IFS=, read -ra shares <<<"${WANT[tc_share]}"
  for place in 0 1 2 3 4 5 6 7; do is+=",${IS[tc.$place]:-?}"; done
  if differs "priority to TC" "${is#,}" "${WANT[priority_to_tc]}"; then write=yes; fi
  is=''
  for tc in 0 1 2 3 4 5 6 7; do
    # a TC without a priority carries nothing: its scheduler does not matter
    [[ " ${map[*]} " == *" $tc "* ]] || continue
    wanted+=" $tc:${schedulers[tc]}:${shares[tc]}"
    is+=" $tc:${IS[scheduler.$tc]:-?}:${IS[share.$tc]:-0}"
  done
  if differs "scheduler and share of the TCs" "${is# }" "${wanted# }"; then write=yes; fi
  [[ $write == yes ]] || return 0
  if [[ $TOOL == mlnx_qos ]]; then
    run mlnx_qos -i "$IF" -p "${WANT[priority_to_tc]}" -s "${WANT[tc_scheduler]}" -t "${WANT[tc_share]}"
  else
    # shellcheck disable=SC2046 # the words are separate arguments
    run dcb ets set dev "$IF" willing off prio-tc $(places "${WANT[priority_to_tc]}") \
      tc-tsa $(places "${WANT[tc_scheduler]}") tc-bw $(places "${WANT[tc_share]}")
  fi
}

apply_rates() {
  wants tc_rate || return 0
  local tc is='' rates words=''
  IFS=, read -ra rates <<<"${WANT[tc_rate]}"
  for tc in 0 1 2 3 4 5 6 7; do
    is+=",${IS[rate.$tc]:-0}"
    words+=" $tc:${rates[tc]}Gbit"
  done
  if differs "rate limit of the TCs (Gb/s)" "${is#,}" "${WANT[tc_rate]}"; then
    if [[ $TOOL == mlnx_qos ]]; then
      run mlnx_qos -i "$IF" -r "${WANT[tc_rate]}"
    else
      # shellcheck disable=SC2086 # the words are separate arguments
      run dcb maxrate set dev "$IF" tc-maxrate $words
    fi
  fi
}

apply_buffers() {
  wants priority_to_buffer || return 0
  local key option
  for key in buffer_bytes priority_to_buffer; do
    differs "receive buffers, $key" "${IS[$key]:-}" "${WANT[$key]}" || continue
    if [[ $TOOL == mlnx_qos ]]; then
      # one after the other: on systems with qos/ in sysfs a call with both writes only the sizes
      option=--buffer_size
      [[ $key == buffer_bytes ]] || option=--prio2buffer
      run mlnx_qos -i "$IF" "$option" "${WANT[$key]}"
    else
      option=buffer-size
      [[ $key == buffer_bytes ]] || option=prio-buffer
      # shellcheck disable=SC2046 # the words are separate arguments
      run dcb buffer set dev "$IF" "$option" $(places "${WANT[$key]}")
    fi
  done
}

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

# ---- RDMA defaults ------------------------------------------------------------------------------------------------

CM=$ROOT/sys/kernel/config/rdma_cm

# cm_value FILE [VALUE]: prints or sets a default of RDMA-CM applications without NVIDIA's tools
cm_value() {
  local folder=$CM/$DEV made=no status=0
  if [[ ! -d $folder ]]; then
    mkdir "$folder"
    made=yes
  fi
  if (($# > 1)); then
    write "$folder/ports/$RDMA_PORT/$1" "$2" || status=1
  else
    read_file "$folder/ports/$RDMA_PORT/$1"
  fi
  [[ $made == no ]] || rmdir "$folder" 2>/dev/null || true
  return "$status"
}

apply_cm() {
  local is
  wants roce_mode || wants roce_tos || return 0
  if [[ ! -d $CM ]]; then run modprobe rdma_cm; fi
  if [[ ! -d $CM ]]; then
    differs "RDMA-CM defaults" "no rdma_cm module" "mode ${WANT[roce_mode]:-}, ToS ${WANT[roce_tos]:-}" || true
    return 0
  fi
  if wants roce_mode; then
    if have cma_roce_mode; then is=$(cma_roce_mode -d "$DEV" -p "$RDMA_PORT") || true; else is=$(cm_value default_roce_mode) || true; fi
    if differs "RoCE mode of RDMA-CM" "${is//[!12]/}" "${WANT[roce_mode]}"; then
      if have cma_roce_mode; then
        run cma_roce_mode -d "$DEV" -p "$RDMA_PORT" -m "${WANT[roce_mode]}"
      elif [[ ${WANT[roce_mode]} == 2 ]]; then
        run cm_value default_roce_mode "RoCE v2"
      else
        run cm_value default_roce_mode "IB/RoCE v1"
      fi
    fi
  fi
  if wants roce_tos; then
    if have cma_roce_tos; then is=$(cma_roce_tos -d "$DEV" -p "$RDMA_PORT") || true; else is=$(cm_value default_roce_tos) || true; fi
    if differs "ToS of RDMA-CM" "$is" "${WANT[roce_tos]}"; then
      if have cma_roce_tos; then
        run cma_roce_tos -d "$DEV" -p "$RDMA_PORT" -t "${WANT[roce_tos]}"
      else
        run cm_value default_roce_tos "${WANT[roce_tos]}"
      fi
    fi
  fi
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

# ---- one port -----------------------------------------------------------------------------------------------------

find_rdma_device() {
  local folder
  for folder in "$ROOT/sys/class/net/$IF/device/infiniband/"*; do
    if [[ -d $folder ]]; then
      printf '%s' "${folder##*/}"
      return 0
    fi
  done
}

port() {
  IF=$1 DEV=$2 BDF=''
  if [[ ! -d $ROOT/sys/class/net/$IF ]]; then
    fail "no such network device"
    return 0
  fi
  if [[ -e $ROOT/sys/class/net/$IF/device ]]; then BDF=$(basename "$(readlink -f "$ROOT/sys/class/net/$IF/device")"); fi
  if [[ ! $BDF =~ ^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$ ]]; then
    fail "not a PCI network device"
    return 0
  fi
  read_port || return 0
  check_speed
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

usage() {
  say "usage: ${0##*/} [--check | --diff] [--no-flap]"
}

main() {
  local option card
  for option in "$@"; do
    case $option in
      --check) MODE=check ;;
      --diff | --dry-run) MODE='diff' ;;
      --no-flap) FLAP=no ;;
      -h | --help) usage && return 0 ;;
      *)
        usage >&2
        return 2
        ;;
    esac
  done
  if [[ $EUID != 0 && -z $ROOT ]]; then
    fail "must be run as root"
    return 3
  fi
  if have mlnx_qos; then TOOL=mlnx_qos; elif have dcb; then TOOL=dcb; else
    fail "neither mlnx_qos nor dcb is installed"
    return 3
  fi
  if have systemctl && systemctl is-active --quiet lldpad; then
    note "WARNING: lldpad is running and may overwrite these settings"
  fi
  wanted
  if [[ $MODE == apply ]] && ((DIFFERENCES > LEFT)); then
    PASS=again
    DIFFERENCES=0
    wanted
  fi
  while read -r card; do
    [[ -z $card ]] || say "firmware values wait for a reset of $card: mlxfwreset -d $card reset (or a reboot)"
  done < <(printf '%s\n' "${RESET[@]:-}" | sort -u)
  ((FAILED == 0)) || return 3
  [[ $MODE != apply ]] || DIFFERENCES=$LEFT
  if ((DIFFERENCES == 0)); then
    [[ $PASS == again ]] || say "nothing to change"
    return 0
  fi
  [[ $MODE == diff ]] || return 1
}

main "$@"
{% endraw %}
