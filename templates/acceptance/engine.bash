# shellcheck shell=bash
# Carries out a stage: reads its steps from stdin and runs every flow through ssh.
# ROCECFG_SSH        how a host is reached (default: ssh -o BatchMode=yes); the host's name is added
# ROCECFG_INVENTORY  inventory for `rocecfg pull`: the switches' counters; without it they are not read
# ROCECFG_MPIRUN     how NCCL tests start (default: mpirun); ROCECFG_GPUS GPUs a host (default: 8)
# What a flow printed before it failed is kept; a step that failed does not stop the next.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a reach <<<"${ROCECFG_SSH:-ssh -o BatchMode=yes -o ConnectTimeout=10}"
failed=0

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2; }

on() { # HOST WORD...: one word of lib/host.bash on a host
  local host=$1
  shift
  "${reach[@]}" "$host" "bash -s -- $*" <"$here/host.bash"
}

ahead() { # HOST: seconds that its clock is ahead of this one, asked once
  local before after theirs file=$clocks/$1
  if [[ ! -s $file ]]; then
    before=$(date +%s%3N)
    theirs=$(on "$1" clock 2>>"$log/clocks.log") || theirs=
    after=$(date +%s%3N)
    [[ $theirs =~ ^[0-9]{13}$ ]] || theirs=$(((before + after) / 2))
    echo $(((theirs - (before + after) / 2 + (theirs * 2 > before + after ? 500 : -500)) / 1000)) >"$file"
  fi
  cat "$file"
}

switches() { # FOLDER: captures of the plan's switches; whatever else the inventory holds is not kept
  local name code=0
  rocecfg pull -i "$ROCECFG_INVENTORY" -o "$1.pulled" --fresh >>"$log/counters.log" 2>&1 || code=1
  for name in "${boxes[@]}"; do
    mv -T "$1.pulled/$name" "$1/$name" 2>>"$log/counters.log" || code=1
  done
  rm -rf "$1.pulled"
  return "$code"
}

counters() { # before|after
  [[ $with_counters == 1 ]] || return 0
  local folder=$results/counters/$1 line host name
  for line in "${cards[@]}"; do
    read -r host _ <<<"$line"
    mkdir -p "$folder/$host"
    for name in ${line#* }; do
      on "$host" ethtool "$name" >"$folder/$host/$name.ethtool.txt" 2>>"$log/counters.log" || touch "$log/failed"
      on "$host" rdma "$name" >"$folder/$host/$name.rdma.txt" 2>>"$log/counters.log" || touch "$log/failed"
    done &
    while (($(jobs -rp | wc -l) >= 64)); do sleep 0.1; done
  done
  wait
  [[ ! -e $log/failed ]] || failed=1
  if [[ -n ${ROCECFG_INVENTORY:-} ]]; then
    switches "$folder" || failed=1
  else
    say "ROCECFG_INVENTORY is not set: the counters of the switches are not read"
  fi
}

collective() { # TCLASS OUTPUT LOG: one all_reduce_perf over all ranks of the step
  local gpus=${ROCECFG_GPUS:-8} list start
  read -r -a start <<<"${ROCECFG_MPIRUN:-mpirun}"
  list=$(printf "%s:$gpus," "${ranks[@]}")
  timeout 1800 "${start[@]}" -np "$((${#ranks[@]} * gpus))" -H "${list%,}" \
    -x "NCCL_IB_TC=$1" all_reduce_perf -b 8M -e 8G -f 2 -g 1 -n 20 >"$2" 2>>"$3"
}

go() { # the flows of one round, together
  local line id tool client card server to port tclass size pairs seconds at peer out pids=() pid
  for line in "${flows[@]}"; do
    read -r id tool client card server to port tclass size pairs seconds <<<"$line"
    [[ -s $clocks/$client ]] || { ahead "$client" >/dev/null & }
    while (($(jobs -rp | wc -l) >= 64)); do sleep 0.1; done
  done
  wait
  at=$(($(date +%s) + 5 + ${#flows[@]} / 20))
  for line in "${flows[@]}"; do
    read -r id tool _ _ server to port tclass size pairs seconds <<<"$line"
    [[ $tool == ping || $tool == all_reduce_perf ]] && continue
    on "$server" serve "$tool" "$to" "$port" "$tclass" "$size" "$pairs" "$seconds" >"$log/$id.server.log" 2>&1 &
  done
  sleep 2
  for line in "${flows[@]}"; do
    read -r id tool client card server to port tclass size pairs seconds <<<"$line"
    out=$results/$id.txt
    [[ $tool != iperf3 ]] || out=$results/$id.json
    if [[ $tool == all_reduce_perf ]]; then
      collective "$tclass" "$out" "$log/$id.log" &
    else
      {
        peer=$(on "$server" address "$to" 2>>"$log/$id.log") &&
          on "$client" send "$tool" "$card" "$peer" "$port" "$tclass" "$size" "$pairs" "$seconds" "$((at + $(ahead "$client")))" \
            >"$out" 2>>"$log/$id.log"
      } &
    fi
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || failed=1
  done
  wait
}

run_stage() { # STAGE, steps on stdin
  local word rest stage=$1 lines line
  boxes=()
  clocks=$(mktemp -d)
  trap 'rm -rf "$clocks"' EXIT
  mapfile -t lines
  for line in "${lines[@]}"; do
    read -r word rest <<<"$line"
    case $word in
      step)
        read -r step with_counters <<<"$rest"
        results=$root/results/$stage/$step
        log=$root/logs/$stage/$step
        rm -rf "$results" "$log"
        mkdir -p "$results" "$log"
        cards=() ranks=()
        say "$stage: $step"
        ;;
      card) cards+=("$rest") ;;
      switch) boxes+=("$rest") ;;
      rank) read -r -a ranks <<<"$rest" ;;
      before | after) counters "$word" ;;
      round) flows=() ;;
      flow) flows+=("$rest") ;;
      go) go ;;
    esac
  done
  if ((failed)); then
    say "$stage: something failed, see $root/logs/$stage; what there is can be judged"
  fi
  return "$failed"
}
