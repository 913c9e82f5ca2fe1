{% raw %}
# ---- DCB settings: each is compared, and what differs handed to the tool --------------------------------------------

apply_owner() {
  wants dcb_owner || return 0
  if differs "owner of the DCB settings" "${IS[owner]:-}" "${WANT[dcb_owner]}"; then "${TOOL}_set_owner" "${WANT[dcb_owner]}"; fi
}

apply_trust() {
  wants trust || return 0
  if differs trust "${IS[trust]:-}" "${WANT[trust]}"; then "${TOOL}_set_trust" "${WANT[trust]}"; fi
}

apply_map() {
  wants dscp_to_priority || return 0
  local code class changes=()
  while read -r code class; do
    [[ ${IS[dscp.$code]:-$DSCP_REST} == "$class" ]] || changes+=("$code:$class")
  done < <(expand "${WANT[dscp_to_priority]}")
  ((${#changes[@]})) || return 0
  if differs "DSCP to priority" "different for ${#changes[@]} DSCPs" "${WANT[dscp_to_priority]}"; then
    "${TOOL}_set_map" "${changes[@]}"
  fi
}

apply_apps() {
  local key selector number
  for key in "${KEYS[@]}"; do
    [[ $key == app.* ]] || continue
    IFS=. read -r _ selector number <<<"$key"
    if differs "priority of $selector $number" "${IS[$key]:-none}" "${WANT[$key]}"; then
      "${TOOL}_set_app" "$selector" "$number" "${WANT[$key]}"
    fi
  done
}

# pfc_extra (of the family) says whether something besides the priorities differs, such as the cable's length
apply_pfc() {
  local pfc=${WANT[pfc]:-${IS[pfc]:-none}} write=no commas
  commas=${pfc//[!,]/}
  if wants pfc && [[ $pfc != none && ${IS[pfc_cap]:-8} =~ ^[0-9]+$ ]] && ((${#commas} + 1 > ${IS[pfc_cap]:-8})); then
    fail "this port keeps ${IS[pfc_cap]} priorities lossless at most, wanted are $pfc"
    return 0
  fi
  if pfc_extra; then write=yes; fi
  if [[ $FLAP == no && $PASS == again ]]; then
    pfc=${IS[pfc]:-none} # left alone in the first pass
  elif wants pfc && differs "PFC priorities" "${IS[pfc]:-}" "$pfc"; then
    if [[ $FLAP == no ]]; then
      note "PFC priorities left as they are (--no-flap)"
      LEFT=$((LEFT + 1))
      pfc=${IS[pfc]:-none}
    else
      pfc_warning
      write=yes
    fi
  fi
  [[ $write == no ]] || "${TOOL}_set_pfc" "$pfc"
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
  [[ $write == no ]] || "${TOOL}_set_scheduler" "${WANT[priority_to_tc]}" "${WANT[tc_scheduler]}" "${WANT[tc_share]}"
}

apply_rates() {
  wants tc_rate || return 0
  local tc is=''
  for tc in 0 1 2 3 4 5 6 7; do is+=",${IS[rate.$tc]:-0}"; done
  if differs "rate limit of the TCs (Gb/s)" "${is#,}" "${WANT[tc_rate]}"; then "${TOOL}_set_rates" "${WANT[tc_rate]}"; fi
}

apply_buffers() {
  wants priority_to_buffer || return 0
  local key
  for key in buffer_bytes priority_to_buffer; do
    differs "receive buffers, $key" "${IS[$key]:-}" "${WANT[$key]}" || continue
    "${TOOL}_set_buffers" "$key" "${WANT[$key]}"
  done
}
{% endraw %}
