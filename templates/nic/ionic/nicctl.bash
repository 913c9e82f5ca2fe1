{% raw %}
# ---- nicctl -------------------------------------------------------------------------------------------------------

readonly PROFILE=1 # the DCQCN profile of the physical function

# json_pairs: "key value" a line, whatever the layout; all scalars of nicctl are strings
json_pairs() { tr -d '\n' | tr '{}[],' '\n' | awk -F'"' 'NF > 1 { print $2, $4 }'; }

read_nicctl() {
  local card text port
  text=$(nicctl show card -j) || return 1
  card=$(json_pairs <<<"$text" | awk -v function_of="$BDF" '
    $1 == "id" { id = $2 }
    $1 == "eth_bdf" && tolower($2) == function_of { print id; exit }')
  if [[ -z $card ]]; then
    printf 'nicctl knows no card with the function %s\n' "$BDF" >&2
    return 1
  fi
  text=$(nicctl show port --card "$card" -j) || return 1
  text=$(json_pairs <<<"$text" | awk '
    $1 == "spec" { spec = 1; ports++ }
    $1 == "status" || $1 == "statistics" { spec = 0 }
    spec && $1 == "id" { print "port_id", $2 }
    spec && $1 ~ /^(pause_type|rx_pause|tx_pause)$/ { print $1, tolower($2) }
    spec && $1 == "mtu" { print "port_mtu", $2 }
    END { if (ports != 1) exit 1 }') || {
    printf 'card %s has not exactly one port\n' "$card" >&2
    return 1
  }
  printf '%s\n' "$text"
  port=$(awk '$1 == "port_id" { print $2 }' <<<"$text")
  text=$(nicctl show qos) || return 1
  # the lines of our port: up to the next one
  awk -v port="$port" '
    $1 == "Port" && $2 == ":" { on = ($3 == port); next }
    !on { next }
    /Classification type/ { print "trust", tolower($NF) }
    $1 == "DSCP" && $2 == ":" && /==>/ {
      line = $0; sub(/^[^:]*:/, "", line); sub(/==>.*/, "", line); gsub(/ /, "", line)
      count = split(line, runs, ",")
      for (i = 1; i <= count; i++) {
        split(runs[i], ends, "-"); last = (ends[2] == "" ? ends[1] : ends[2])
        for (code = ends[1] + 0; code <= last + 0; code++) print "dscp." code, $NF
      }
    }
    /PFC no-drop priorities/ { line = $0; sub(/^[^:]*:/, "", line); gsub(/ /, "", line); print "pfc", (line == "" ? "none" : line) }
    /PFC priority bitmap/ { print "pfc_bitmap", $NF }
    $1 ~ /^[0-7]$/ && $2 == "DWRR" { print "share." $1, $3; print "rate." $1, 0 }
    $1 ~ /^[0-7]$/ && $2 == "strict" { print "share." $1, 0; print "rate." $1, $4 + 0 }' <<<"$text"
}

nicctl_set_trust() {
  run nicctl update qos --classification-type "$1" # of all ports: the one form that is documented
  [[ $MODE != apply || $PASS == again ]] || read_port || true
}

nicctl_set_map() {
  local class change codes
  for class in 0 1 2 3 4 5 6 7; do
    codes=''
    for change in "$@"; do
      [[ ${change#*:} != "$class" ]] || codes+=",${change%:*}"
    done
    [[ -z $codes ]] || run nicctl update qos dscp-to-priority -p "${IS[port_id]}" --dscp "${codes#,}" --priority "$class"
  done
}

set_no_drop() { run nicctl update qos pfc -p "${IS[port_id]}" --priority "$1" --no-drop "$2"; }

# a priority that is to be lossy is made so before DSCPs move
drop_stale_pfc() {
  local priority
  DROPPED=','
  if ! wants pfc || [[ $FLAP == no || $PASS == again ]]; then return 0; fi
  for priority in ${IS[pfc]//,/ }; do
    if [[ $priority != none && ",${WANT[pfc]}," != *",$priority,"* ]]; then
      set_no_drop "$priority" disable
      DROPPED+="$priority,"
    fi
  done
}

nicctl_set_pfc() {
  local priority
  for priority in ${IS[pfc]//,/ }; do
    [[ $priority == none || ",$1," == *",$priority,"* || $DROPPED == *",$priority,"* ]] || set_no_drop "$priority" disable
  done
  for priority in ${1//,/ }; do
    [[ $priority == none || ",${IS[pfc]:-}," == *",$priority,"* ]] || set_no_drop "$priority" enable
  done
}

# priority:share:rate, as nicctl takes three lists
apply_schedule() {
  local entry priority share rate is='' named='' dwrr='' limits=''
  wants schedule || return 0
  for entry in ${WANT[schedule]//,/ }; do
    IFS=: read -r priority share rate <<<"$entry"
    is+=",$priority:${IS[share.$priority]:-?}:${IS[rate.$priority]:-?}"
    named+=",$priority" dwrr+=",$share" limits+=",$rate"
  done
  if differs "scheduling (priority:share:Gb/s)" "${is#,}" "${WANT[schedule]}"; then
    run nicctl update qos scheduling -p "${IS[port_id]}" --priority "${named#,}" --dwrr "${dwrr#,}" \
      --rate-limit "${limits#,}"
  fi
}

apply_pause_type() {
  wants pause_type || return 0
  if [[ $FLAP == no && $PASS == again ]]; then return 0; fi
  if differs "pause type of the port" "${IS[pause_type]:-} rx ${IS[rx_pause]:-} tx ${IS[tx_pause]:-}" \
    "${WANT[pause_type]} rx enabled tx enabled"; then
    if [[ $FLAP == no ]]; then
      note "pause type left as it is (--no-flap)"
      LEFT=$((LEFT + 1))
    else
      run nicctl update port -p "${IS[port_id]}" --pause-type "${WANT[pause_type]}" --rx-pause enable --tx-pause enable
    fi
  fi
}

apply_port_mtu() {
  wants port_mtu || return 0
  if differs "MTU of the port" "${IS[port_mtu]:-}" "${WANT[port_mtu]}"; then
    run nicctl update port -p "${IS[port_id]}" --mtu "${WANT[port_mtu]}"
  fi
}

apply_dcqcn() {
  local text is
  wants congestion_control || wants cnp_dscp || return 0
  text=$(nicctl show dcqcn -r "$DEV" -i "$PROFILE" 2>&1) || {
    fail "nicctl show dcqcn -r $DEV -i $PROFILE failed: ${text##*$'\n'}"
    return 0
  }
  is=$(awk -F: '/^[ \t]*Status/ { gsub(/[ \t]/, "", $2); print tolower($2); exit }' <<<"$text")
  if [[ ${WANT[congestion_control]:-} == dcqcn && $is != enabled ]]; then
    fail "DCQCN of $DEV is ${is:-unknown}, and no word that turns it on is documented"
  fi
  if wants cnp_dscp; then
    is=$(awk '/DSCP value used for CNP/ { print $NF; exit }' <<<"$text")
    if differs "CNP DSCP" "$is" "${WANT[cnp_dscp]}"; then
      run nicctl update dcqcn -r "$DEV" -i "$PROFILE" --cnp-dscp "${WANT[cnp_dscp]}"
    fi
  fi
}
{% endraw %}
