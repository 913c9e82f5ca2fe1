{% raw %}
# ---- niccli (versions above 233), where dcb is not installed ------------------------------------------------------

read_niccli() {
  niccli --dev "$BDF" qos --ets --show | awk '
    BEGIN { print "owner", "os" }
    /PRIO_MAP:/ { for (i = 2; i <= NF; i++) { split($i, pair, ":"); print "tc." pair[1], pair[2] } }
    /TC Bandwidth:/ { for (i = 3; i <= NF; i++) print "share." i - 3, $i + 0 }
    /TSA_MAP:/ { for (i = 2; i <= NF; i++) { split($i, pair, ":"); print "scheduler." pair[1], pair[2] } }
    /PFC enabled:/ { list = ""; for (i = 3; i <= NF; i++) list = list "," $i
                     gsub(/,+/, ",", list); print "pfc", (list == "," || list == "" ? "none" : substr(list, 2)) }
    $1 == "Priority:" { priority = $2 }
    $1 == "Sel:" { selector = $2 }
    $1 == "DSCP:" && selector == 5 {
      any = 1
      if ($2 in seen) seen[$2] = seen[$2] "+" priority
      else seen[$2] = priority
      print "dscp." $2, seen[$2]
    }
    /UDP or DCCP:/ { print "app.dgram-port-prio." $NF, priority }
    END { print "trust", (any ? "dscp" : "pcp") }'
}

niccli_set_owner() { fail "niccli has no word for the owner of the DCB settings; dcb has"; }

niccli_set_trust() {
  local key priority
  [[ $1 == pcp ]] || return 0 # DSCP is trusted as soon as the table has an entry
  for key in "${!IS[@]}"; do
    [[ $key == dscp.* ]] || continue
    for priority in ${IS[$key]//+/ }; do
      run niccli --dev "$BDF" qos --apptlv --del --app "$priority,5,${key#dscp.}"
    done
  done
}

niccli_set_map() {
  local change code priority
  for change in "$@"; do
    code=${change%:*} priority=${IS[dscp.${change%:*}]:-}
    for priority in ${priority//+/ }; do run niccli --dev "$BDF" qos --apptlv --del --app "$priority,5,$code"; done
    [[ ${change#*:} == "$DSCP_REST" ]] || run niccli --dev "$BDF" qos --apptlv --add --app "${change#*:},5,$code"
  done
}

niccli_set_app() {
  if [[ $1 != dgram-port-prio ]]; then
    fail "niccli: only UDP ports are documented, not $1"
    return 0
  fi
  [[ -z ${IS[app.$1.$2]:-} ]] || run niccli --dev "$BDF" qos --apptlv --del --app "${IS[app.$1.$2]},3,$2"
  run niccli --dev "$BDF" qos --apptlv --add --app "$3,3,$2"
}

niccli_set_pfc() {
  case $1 in
    none) run niccli --dev "$BDF" qos --pfc --enable 0xFF ;;
    *,*) fail "niccli: no word for several lossless priorities is documented; install dcb (iproute2)" ;;
    *) run niccli --dev "$BDF" qos --pfc --enable "$1" ;;
  esac
}

niccli_set_scheduler() {
  local most=0 tc map tsa shares up2tc='' listed='' bandwidth=''
  IFS=, read -ra map <<<"$1"
  IFS=, read -ra tsa <<<"$2"
  IFS=, read -ra shares <<<"$3"
  for tc in 0 1 2 3 4 5 6 7; do
    up2tc+=",$tc:${map[tc]}"
    if ((map[tc] > most)); then most=${map[tc]}; fi
  done
  for ((tc = 0; tc <= most; tc++)); do
    listed+=",$tc:${tsa[tc]}"
    [[ ${tsa[tc]} == strict ]] || bandwidth+=",${shares[tc]}"
  done
  run niccli --dev "$BDF" qos --ets --tsa "${listed#,}" --up2tc "${up2tc#,}" --tcbw "${bandwidth#,}"
}

niccli_set_rates() { fail "niccli: no rate limit of a TC is documented"; }

niccli_set_buffers() { fail "niccli: no receive buffer is documented"; }
{% endraw %}
