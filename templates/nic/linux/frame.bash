{% raw %}
readonly ROOT=${ROCECFG_ROOT:-} # a folder that stands for / in tests
readonly RDMA_PORT=1            # every RDMA device of these NICs has one port
MODE=apply FLAP=yes PASS=first
DIFFERENCES=0 LEFT=0 FAILED=0
IF='' DEV='' BDF='' TOOL=''
DSCP_REST='' # the priority of a DSCP without an entry, where the driver says
declare -A WANT=() IS=()
KEYS=()

say() { printf '%s\n' "$*"; }
note() { [[ $PASS == again ]] || printf '%s\n' "${IF:+$IF: }$*" >&2; }
fail() {
  printf '%s\n' "error: ${IF:+$IF: }$*" >&2
  FAILED=$((FAILED + 1))
}
have() { command -v "$1" >/dev/null 2>&1; }
wants() { [[ -v WANT[$1] ]]; }

settings() { WANT=() KEYS=(); }
want() {
  local key="${*:1:$#-1}"
  key=${key// /.}
  KEYS+=("$key")
  WANT[$key]=${!#}
}

# differs WHAT IS WANTED: succeeds when they differ, and says so
differs() {
  [[ $2 != "$3" ]] || return 1
  DIFFERENCES=$((DIFFERENCES + 1))
  if [[ $PASS == again ]]; then
    fail "$1 is still ${2:-unknown}, wanted $3"
  else
    say "${IF:+$IF: }$1 is ${2:-unknown}, wanted $3"
  fi
}

# run COMMAND...: runs it, or prints it, or neither, as the mode asks
run() {
  local output shown="$*"
  [[ $PASS == first ]] || return 0
  case $1 in
    write) shown="echo $3 > $2" ;;
    cm_value) shown="echo $3 > $CM/$DEV/ports/$RDMA_PORT/$2" ;;
  esac
  case $MODE in
    check) ;;
    diff) say "    would run: $shown" ;;
    apply)
      say "    run: $shown"
      output=$("$@" 2>&1) || fail "$shown failed: ${output:-no message}"
      ;;
  esac
}

write() { printf '%s\n' "$2" >"$1"; }
read_file() { if [[ -r $1 ]]; then tr -d '\n' <"$1"; fi; }

# expand 0-2:0,26:3 to one "code class" a line
expand() {
  local run codes code
  for run in ${1//,/ }; do
    codes=${run%:*}
    for ((code = ${codes%-*}; code <= ${codes#*-}; code++)); do printf '%d %s\n' "$code" "${run#*:}"; done
  done
}

# bits 3,4: eight words, yes at the listed places and no elsewhere
bits() {
  local place list=",$1," joined=''
  for place in 0 1 2 3 4 5 6 7; do
    if [[ $list == *",$place,"* ]]; then joined+="$2$4"; else joined+="$3$4"; fi
  done
  printf '%s' "${joined%"$4"}"
}

read_port() {
  local text key value
  IS=()
  text=$("read_$TOOL") || {
    fail "$TOOL cannot read this port"
    return 1
  }
  while read -r key value; do [[ -z $key ]] || IS[$key]=$value; done <<<"$text"
}
{% endraw %}
