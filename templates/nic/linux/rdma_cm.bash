{% raw %}
# ---- RDMA defaults ------------------------------------------------------------------------------------------------

CM=$ROOT/sys/kernel/config/rdma_cm

# cm_value FILE [VALUE]: prints or sets a default of RDMA-CM applications without NVIDIA's tools
cm_value() {
  local folder=$CM/$DEV made=no status=0
  if [[ ! -d $folder ]]; then
    mkdir "$folder"
    made=yes
  fi
  if (($# > 1)); then
    write "$folder/ports/$RDMA_PORT/$1" "$2" || status=1
  else
    read_file "$folder/ports/$RDMA_PORT/$1"
  fi
  [[ $made == no ]] || rmdir "$folder" 2>/dev/null || true
  return "$status"
}

apply_cm() {
  local is
  wants roce_mode || wants roce_tos || return 0
  if [[ ! -d $CM ]]; then run modprobe rdma_cm; fi
  if [[ ! -d $CM ]]; then
    differs "RDMA-CM defaults" "no rdma_cm module" "mode ${WANT[roce_mode]:-}, ToS ${WANT[roce_tos]:-}" || true
    return 0
  fi
  if wants roce_mode; then
    if have cma_roce_mode; then is=$(cma_roce_mode -d "$DEV" -p "$RDMA_PORT") || true; else is=$(cm_value default_roce_mode) || true; fi
    if differs "RoCE mode of RDMA-CM" "${is//[!12]/}" "${WANT[roce_mode]}"; then
      if have cma_roce_mode; then
        run cma_roce_mode -d "$DEV" -p "$RDMA_PORT" -m "${WANT[roce_mode]}"
      elif [[ ${WANT[roce_mode]} == 2 ]]; then
        run cm_value default_roce_mode "RoCE v2"
      else
        run cm_value default_roce_mode "IB/RoCE v1"
      fi
    fi
  fi
  if wants roce_tos; then
    if have cma_roce_tos; then is=$(cma_roce_tos -d "$DEV" -p "$RDMA_PORT") || true; else is=$(cm_value default_roce_tos) || true; fi
    if differs "ToS of RDMA-CM" "$is" "${WANT[roce_tos]}"; then
      if have cma_roce_tos; then
        run cma_roce_tos -d "$DEV" -p "$RDMA_PORT" -t "${WANT[roce_tos]}"
      else
        run cm_value default_roce_tos "${WANT[roce_tos]}"
      fi
    fi
  fi
}
{% endraw %}
