# shellcheck shell=bash
# What a host does for an acceptance run: `bash -s -- WORD ARGUMENT...` with this text on stdin.
set -euo pipefail

rdma_device() { # the RDMA device of an interface
  local found=("${ROCECFG_SYSROOT:-}/sys/class/net/$1/device/infiniband/"*)
  [[ -d ${found[0]} ]] || { echo "$1: no RDMA device" >&2; return 1; }
  basename "${found[0]}"
}

address() { # the IPv4 address of an interface
  local found
  found=$(ip -4 -o addr show dev "$1" scope global | awk '{ sub("/.*", "", $4); print $4; exit }')
  [[ -n $found ]] || { echo "$1: no IPv4 address" >&2; return 1; }
  echo "$found"
}

perftest() { # TOOL INTERFACE PORT TCLASS SIZE PAIRS SECONDS [PEER]
  local device
  device=$(rdma_device "$2")
  local options=(-d "$device" -p "$3" --tclass "$4" -s "$5" -F)
  [[ $1 == *_lat ]] || options+=(-q "$6" --report_gbits)
  [[ $7 == 0 ]] || options+=(-D "$7")
  timeout "$(($7 + 60))" "$1" "${options[@]}" "${@:8}"
}

serve() { # TOOL INTERFACE PORT TCLASS SIZE PAIRS SECONDS
  if [[ $1 == iperf3 ]]; then
    local own
    own=$(address "$2")
    timeout "$(($7 + 60))" iperf3 -s -1 -p "$3" -B "$own"
  else
    perftest "$@"
  fi
}

send() { # TOOL INTERFACE PEER PORT TCLASS SIZE PAIRS SECONDS START
  local wait_for=$(($9 - $(date +%s)))
  ((wait_for <= 0 || wait_for > 600)) || sleep "$wait_for"
  case $1 in
    ping) timeout 30 ping -I "$2" -c 5 -W 2 -Q "$5" -M "do" -s "$6" "$3" ;;
    iperf3)
      local own
      own=$(address "$2")
      timeout "$(($8 + 60))" iperf3 -c "$3" -p "$4" -B "$own" -S "$5" -P 8 -t "$8" -J
      ;;
    *) perftest "$1" "$2" "$4" "$5" "$6" "$7" "$8" "$3" ;;
  esac
}

rdma() { # the counters of an interface's RDMA device, "name: value"
  local folder file device
  device=$(rdma_device "$1")
  folder=${ROCECFG_SYSROOT:-}/sys/class/infiniband/$device/ports/1
  for file in "$folder"/hw_counters/* "$folder"/counters/*; do
    [[ ! -f $file ]] || printf '%s: %s\n' "$(basename "$file")" "$(cat "$file" 2>/dev/null || echo N/A)"
  done
}

case $1 in
  address | serve | send | rdma) "$@" ;;
  ethtool) command ethtool -S "$2" ;;
esac
