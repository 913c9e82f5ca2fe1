#!/bin/sh
# Merges nvue.yaml into the configuration of leaf1: shows the difference, then applies it on trial.
# Without a confirmation within 300 seconds the switch rolls back by itself.
# Changes of buffers and of PFC cost a short loss on the ports.
set -eu
cd "$(dirname "$0")" # the nvue.yaml beside this script, wherever it is called from
nv config patch nvue.yaml
nv config diff
nv config apply --confirm 300s
