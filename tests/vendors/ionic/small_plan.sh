#!/usr/bin/env bash
# RoCE settings of gpu01: ports of AMD Pensando NICs (ionic). Written by rocecfg for ionic.
#
#   rocecfg-nic.sh            read, compare, write what differs, read again
#   rocecfg-nic.sh --check    compare only
#   rocecfg-nic.sh --diff     print the commands that would run, run none of them
#   rocecfg-nic.sh --no-flap  leave the PFC priorities and the pause type of the ports alone
#
# Exit: 0 all is as wanted, 1 something differs (--check, --no-flap), 2 wrong option, 3 something could not be read
# or written. Needs root. Nothing of it survives a reboot: rocecfg-nic.service runs it again.

# shellcheck disable=SC2317,SC2329 # the functions of a tool are called by its name
set -euo pipefail

wanted() {
  settings
  want link_speed 400000  # Mb/s, compared and never set
  want trust dscp
  want dscp_to_priority 0-25:0,26:3,27-47:0,48:6,49-63:0
  want pfc 3  # lossless priorities
  want schedule 0:40:0,3:60:0,6:0:10  # priority:share in percent:Gb/s; a share of 0 is strict
  want pause_type pfc  # of the port: PFC in both directions, no 802.3x pause
  want mtu 9000  # netdev MTU: the IP packet
  want port_mtu 9216  # of the port: the frame
  want congestion_control dcqcn  # of the whole RDMA device
  want cnp_dscp 48  # the DSCP itself, not the ToS byte
  port enp68s0 auto
  port enp132s0 auto
}
