# shellcheck shell=bash
# What a host does for an acceptance run: `bash -s -- WORD ARGUMENT...` with this text on stdin.
set -euo pipefail

sys=${ROCECFG_SYSROOT:-}/sys/class

rdma_device() { # the RDMA device of an interface; of bonds, VLANs and soft RoCE only the table of GIDs knows it
  local own=("$sys/net/$1/device/infiniband/"*) entry
  if [[ -d ${own[0]} ]]; then
    basename "${own[0]}"
    return
  fi
  entry=$(grep -lxs -e "$1" "$sys"/infiniband/*/ports/1/gid_attrs/ndevs/* | head -n 1) || true
  [[ -n $entry ]] || { echo "$1: no RDMA device" >&2; return 1; }
  entry=${entry#"$sys/infiniband/"}
  echo "${entry%%/*}"
}

gid_index() { # DEVICE INTERFACE: its GID of RoCE v2 and IPv4; nothing where the table does not say
  local port=$sys/infiniband/$1/ports/1 entry index
  for entry in "$port"/gid_attrs/ndevs/*; do
    index=$(basename "$entry")
    if grep -qxs -e "$2" "$entry" && grep -qxs "RoCE v2" "$port/gid_attrs/types/$index" &&
      grep -qs "^0000:0000:0000:0000:0000:ffff:" "$port/gids/$index"; then
      echo "$index"
      return
    fi
  done
}

address() { # the IPv4 address of an interface
  local found
  found=$(ip -4 -o addr show dev "$1" scope global | awk '{ sub("/.*", "", $4); print $4; exit }')
  [[ -n $found ]] || { echo "$1: no IPv4 address" >&2; return 1; }
  echo "$found"
}

limited() { # SECONDS COMMAND...: says so when the time is up
  local code=0
  timeout "$@" || code=$?
  [[ $code != 124 ]] || echo "$2: timed out after $1 s" >&2
  return "$code"
}

perftest() { # TOOL INTERFACE PORT TCLASS SIZE PAIRS SECONDS [PEER]
  local device gid
  device=$(rdma_device "$2")
  gid=$(gid_index "$device" "$2")
  local options=(-d "$device" -p "$3" --tclass "$4" -s "$5" -F)
  [[ -z $gid ]] || options+=(-x "$gid")
  [[ $1 == *_lat ]] || options+=(-q "$6" --report_gbits)
  [[ $7 == 0 ]] || options+=(-D "$7")
  limited "$(($7 + 60))" "$1" "${options[@]}" "${@:8}"
}

serve() { # TOOL INTERFACE PORT TCLASS SIZE PAIRS SECONDS
  if [[ $1 == iperf3 ]]; then
    local own
    own=$(address "$2")
    limited "$(($7 + 60))" iperf3 -s -1 -p "$3" -B "$own"
  else
    perftest "$@"
  fi
}

send() { # TOOL INTERFACE PEER PORT TCLASS SIZE PAIRS SECONDS START
  local wait_for=$(($9 - $(date +%s)))
  ((wait_for <= 0 || wait_for > 600)) || sleep "$wait_for"
  case $1 in
    ping) limited 30 ping -I "$2" -c 5 -W 2 -Q "$5" -M "do" -s "$6" "$3" ;;
    iperf3)
      local own
      own=$(address "$2")
      limited "$(($8 + 60))" iperf3 -c "$3" -p "$4" -B "$own" -S "$5" -P 8 -t "$8" -J
      ;;
    *) perftest "$1" "$2" "$4" "$5" "$6" "$7" "$8" "$3" ;;
  esac
}

rdma() { # the counters of an interface's RDMA device, "name: value"
  local folder file device
  device=$(rdma_device "$1")
  folder=$sys/infiniband/$device/ports/1
  for file in "$folder"/hw_counters/* "$folder"/counters/*; do
    [[ ! -f $file ]] || printf '%s: %s\n' "$(basename "$file")" "$(cat "$file" 2>/dev/null || echo N/A)"
  done
}

clock() { date +%s%3N; } # milliseconds

case $1 in
  clock | address | serve | send | rdma) "$@" ;;
  ethtool) command ethtool -S "$2" ;;
esac
