{% raw %}
# ---- dcb as the ice driver has it ---------------------------------------------------------------------------------

# Where the driver puts a DSCP without an entry in DSCP mode; on a port of 4 TCs the second 32 DSCPs repeat the first.
default_tc() {
  local code=$1
  case ${IS[ets_cap]:-} in
    8) printf '%d' $((code >> 3)) ;;
    4)
      code=$((code % 32))
      if ((code < 12)); then printf '%d' $((code >> 2)); elif ((code < 20)); then printf 3; else printf 0; fi
      ;;
  esac
}

declare -A ENTRY=() # DSCP -> TC as the table says it
CHANGES=()

# in DSCP mode the driver has a TC for the DSCPs without an entry too
fill_defaults() {
  local code
  ENTRY=()
  for code in {0..63}; do
    if [[ -n ${IS[dscp.$code]:-} ]]; then
      ENTRY[$code]=${IS[dscp.$code]}
    elif [[ ${IS[trust]:-} == dscp ]]; then
      IS[dscp.$code]=$(default_tc "$code")
    fi
  done
}

read_again() { read_port && fill_defaults; }

read_ice() { read_dcb; }

ice_set_owner() { dcb_set_owner "$1"; }

ice_set_trust() { dcb_set_trust "$1"; }

# map_changes: the entries to write. A planned DSCP gets one even where the driver has the same TC for it anyway, so that
# everybody sees it; another DSCP gets one only where it would fall into a TC that is kept for planned ones.
map_changes() {
  local code class is planned=','
  CHANGES=()
  while read -r code class; do
    planned+="$code,"
    [[ ${ENTRY[$code]:-} == "$class" ]] || CHANGES+=("$code:$class")
  done < <(expand "${WANT[dscp_to_priority]}")
  wants kept_tcs || return 0
  for code in {0..63}; do
    is=${IS[dscp.$code]:-}
    if [[ $planned != *",$code,"* && -n $is && ",${WANT[kept_tcs]}," == *",$is,"* ]]; then
      CHANGES+=("$code:${WANT[other_dscps]}")
    fi
  done
}

apply_dscp_map() {
  local change code old
  wants dscp_to_priority || return 0
  map_changes
  ((${#CHANGES[@]})) || return 0
  differs "DSCP to TC" "different for ${#CHANGES[@]} DSCPs" "${WANT[dscp_to_priority]}" || return 0
  if [[ ${IS[trust]:-} != dscp ]]; then
    # the first entry enters DSCP mode, which makes map and ETS anew: what differs is looked up again behind it
    run dcb app add dev "$IF" dscp-prio "${CHANGES[0]}"
    if [[ $MODE == apply && $PASS == first ]]; then
      read_again || return 0
      map_changes
    else
      CHANGES=("${CHANGES[@]:1}")
    fi
  fi
  for change in "${CHANGES[@]}"; do
    code=${change%:*} old=${ENTRY[${change%:*}]:-}
    # the driver takes no second entry for a DSCP: the old one goes first
    for old in ${old//+/ }; do run dcb app del dev "$IF" dscp-prio "$code:$old"; done
    run dcb app add dev "$IF" dscp-prio "$change"
  done
}

ice_set_pfc() { dcb_set_pfc "$1"; }

ice_set_scheduler() { dcb_set_scheduler "$1" "$2" "$3"; }

# in DSCP mode priority n is TC n: only the 4 TCs' own settings are compared and written
apply_tcs() {
  local tc is='' wanted='' schedulers shares
  wants tc_scheduler || return 0
  if wants priority_to_tc; then
    apply_scheduler
    return 0
  fi
  IFS=, read -ra schedulers <<<"${WANT[tc_scheduler]}"
  IFS=, read -ra shares <<<"${WANT[tc_share]}"
  for tc in "${!schedulers[@]}"; do
    wanted+=" $tc:${schedulers[tc]}:${shares[tc]}"
    is+=" $tc:${IS[scheduler.$tc]:-?}:${IS[share.$tc]:-0}"
  done
  if differs "scheduler and share of the TCs" "${is# }" "${wanted# }"; then
    # shellcheck disable=SC2046 # the words are separate arguments
    run dcb ets set dev "$IF" willing off tc-tsa $(places "${WANT[tc_scheduler]}") tc-bw $(places "${WANT[tc_share]}")
  fi
}
{% endraw %}
