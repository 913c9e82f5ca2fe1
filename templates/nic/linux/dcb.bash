{% raw %}
# ---- dcb (iproute2) -----------------------------------------------------------------------------------------------

read_dcb() {
  dcb dcbx show dev "$IF" | awk '{ host = $0 ~ /(^| )host( |$)/; ieee = $0 ~ /(^| )ieee( |$)/
                                        # settings of IEEE are taken only where the host speaks IEEE
                                        print "owner", (host ? (ieee ? "os" : "os, but not IEEE") : "firmware")
                                        if ($0 ~ /lld-managed/) print "agent", "firmware" }' &&
    dcb -N app show dev "$IF" | awk '
    $1 == "dscp-prio" { for (i = 2; i <= NF; i++) {
        split($i, pair, ":"); any = 1
        # a DSCP may stand there twice, with two priorities: then it equals nothing that is wanted
        if (pair[1] in seen) seen[pair[1]] = seen[pair[1]] "+" pair[2]
        else seen[pair[1]] = pair[2]
        print "dscp." pair[1], seen[pair[1]]
      } }
    $1 ~ /^(ethtype|stream-port|dgram-port|port)-prio$/ { for (i = 2; i <= NF; i++) {
        split($i, pair, ":"); key = $1 "." pair[1]
        if (key in seen) seen[key] = seen[key] "+" pair[2]
        else seen[key] = pair[2]
        print "app." key, seen[key]
      } }
    END { print "trust", (any ? "dscp" : "pcp") }' &&
    dcb pfc show dev "$IF" | awk '
    $1 == "pfc-cap" { print "pfc_cap", $2; for (i = 1; i < NF; i++) if ($i == "delay") print "cable", $(i + 1) }
    $1 == "prio-pfc" { list = ""; for (i = 2; i <= NF; i++) { split($i, pair, ":"); if (pair[2] == "on") list = list "," pair[1] }
                       print "pfc", (list == "" ? "none" : substr(list, 2)) }' &&
    dcb ets show dev "$IF" | awk '
    $1 == "willing" { for (i = 1; i < NF; i++) if ($i == "ets-cap") print "ets_cap", $(i + 1) }
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

# words 0,1,...: the list as dcb's place:value words
places() {
  local value place=0
  for value in ${1//,/ }; do
    printf '%d:%s ' "$place" "$value"
    place=$((place + 1))
  done
}

dcb_set_owner() {
  if [[ $1 == os ]]; then
    run dcb dcbx set dev "$IF" host ieee
  else
    fail "dcb has no word that hands DCB to the firmware"
  fi
}

dcb_set_trust() {
  # DSCP is trusted as soon as the table has an entry
  [[ $1 != pcp ]] || run dcb app flush dev "$IF" dscp-prio
}

dcb_set_map() {
  local change code is entries=() stale=()
  for change in "$@"; do
    code=${change%:*} is=${IS[dscp.${change%:*}]:-}
    if [[ -n $DSCP_REST && ${change#*:} == "$DSCP_REST" ]]; then
      for is in ${is//+/ }; do stale+=("$code:$is"); done
    else
      entries+=("$change")
    fi
  done
  if ((${#stale[@]})); then run dcb app del dev "$IF" dscp-prio "${stale[@]}"; fi
  if ((${#entries[@]})); then run dcb app replace dev "$IF" dscp-prio "${entries[@]}"; fi
}

# the words behind the priorities: mlx5 takes the delay as the cable's length
DCB_PFC_MORE=()

dcb_set_app() { run dcb app replace dev "$IF" "$1" "$2:$3"; }

dcb_set_pfc() {
  local words=all:off
  [[ $1 == none ]] || words+=" ${1//,/:on }:on"
  # shellcheck disable=SC2086 # the words are separate arguments
  run dcb pfc set dev "$IF" prio-pfc $words "${DCB_PFC_MORE[@]}"
}

dcb_set_scheduler() {
  # shellcheck disable=SC2046 # the words are separate arguments
  run dcb ets set dev "$IF" willing off prio-tc $(places "$1") tc-tsa $(places "$2") tc-bw $(places "$3")
}

dcb_set_rates() {
  local rates tc words=''
  IFS=, read -ra rates <<<"$1"
  for tc in 0 1 2 3 4 5 6 7; do words+=" $tc:${rates[tc]}Gbit"; done
  # shellcheck disable=SC2086 # the words are separate arguments
  run dcb maxrate set dev "$IF" tc-maxrate $words
}

dcb_set_buffers() {
  local option=buffer-size
  [[ $1 == buffer_bytes ]] || option=prio-buffer
  # shellcheck disable=SC2046 # the words are separate arguments
  run dcb buffer set dev "$IF" "$option" $(places "$2")
}
{% endraw %}
