{% raw %}
# ---- one port -----------------------------------------------------------------------------------------------------

find_rdma_device() {
  local folder
  for folder in "$ROOT/sys/class/net/$IF/device/infiniband/"* "$ROOT/sys/class/net/$IF/device/"*/infiniband/*; do
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
  if [[ -e $ROOT/sys/class/net/$IF/device/physfn ]]; then
    fail "a virtual function: DCB settings belong to its physical function"
    return 0
  fi
  read_port || return 0
  apply_port
}

usage() {
  say "usage: ${0##*/} [--check | --diff] [--no-flap]"
}

main() {
  local option
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
  choose_tool || return 3
  check_agents
  wanted
  if [[ $MODE == apply ]] && ((DIFFERENCES > LEFT)); then
    PASS=again DIFFERENCES=0 IF=''
    check_agents
    wanted
  fi
  say_rest
  ((FAILED == 0)) || return 3
  [[ $MODE != apply ]] || DIFFERENCES=$LEFT
  if ((DIFFERENCES == 0)); then
    [[ $PASS == again ]] || say "nothing to change"
    return 0
  fi
  [[ $MODE == diff ]] || return 1
}
{% endraw %}
