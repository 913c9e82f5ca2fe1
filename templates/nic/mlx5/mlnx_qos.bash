{% raw %}
# ---- mlnx_qos -----------------------------------------------------------------------------------------------------

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

mlnx_qos_set_owner() { run mlnx_qos -i "$IF" -d "${1/firmware/fw}"; }

mlnx_qos_set_trust() {
  local code
  # a call of its own: mlnx_qos refuses --trust together with --dscp2prio. It also writes the driver's default map.
  run mlnx_qos -i "$IF" --trust "$1"
  if [[ $MODE == apply && $PASS == first ]]; then
    read_port || return 0
  elif [[ $1 == dscp ]]; then
    for ((code = 0; code < 64; code++)); do IS[dscp.$code]=$((code >> 3)); done
  fi
}

mlnx_qos_set_map() {
  local change entries=()
  for change in "$@"; do entries+=(--dscp2prio "set,${change/:/,}"); done
  run mlnx_qos -i "$IF" "${entries[@]}"
}

# both in one call: in older mlnx_qos each of them alone resets the other to 0
mlnx_qos_set_pfc() { run mlnx_qos -i "$IF" --pfc "$(bits "$1" 1 0 ,)" --cable_len "${WANT[cable]:-${IS[cable]:-7}}"; }

mlnx_qos_set_scheduler() { run mlnx_qos -i "$IF" -p "$1" -s "$2" -t "$3"; }

mlnx_qos_set_rates() { run mlnx_qos -i "$IF" -r "$1"; }

mlnx_qos_set_buffers() {
  # one after the other: on systems with qos/ in sysfs a call with both writes only the sizes
  local option=--buffer_size
  [[ $1 == buffer_bytes ]] || option=--prio2buffer
  run mlnx_qos -i "$IF" "$option" "$2"
}
{% endraw %}
