#!/usr/bin/env bash
# RoCE settings of gpu01: ports of Broadcom NetXtreme-E NICs (bnxt). Written by rocecfg for bnxt.
#
#   rocecfg-nic.sh            read, compare, write what differs, read again
#   rocecfg-nic.sh --check    compare only
#   rocecfg-nic.sh --diff     print the commands that would run, run none of them
#   rocecfg-nic.sh --no-flap  leave alone what may take a link down (a change of the TCs or the PFC priorities)
#
# Exit: 0 all is as wanted, 1 something differs (--check, --no-flap), 2 wrong option, 3 something could not be read
# or written. Needs root. Nothing of it survives a reboot: rocecfg-nic.service runs it again.

# shellcheck disable=SC2317,SC2329 # the functions of a tool are called by its name
set -euo pipefail

wanted() {
  settings
  want link_speed 400000  # Mb/s, compared and never set
  want dcb_owner os  # who writes the DCB settings below
  want trust dscp
  want dscp_to_priority 0-25:0,26:3,27-47:0,48:6,49-63:0
  want pfc 3  # lossless priorities
  want app dgram-port-prio 4791 3
  want priority_to_tc 0,0,0,1,0,0,2,0
  want tc_scheduler ets,ets,strict,strict,strict,strict,strict,strict
  want tc_share 40,60,0,0,0,0,0,0  # percent
  want pause_rx off  # 802.3x pause of the whole link
  want pause_tx off  # 802.3x pause of the whole link
  want mtu 9000  # netdev MTU: the IP packet
  want roce_mode 2  # RDMA-CM applications
  want roce_tos 104  # RDMA-CM applications: DSCP 26, ECN bits 0
  want congestion_control dcqcn  # of the whole RDMA device
  want cnp_dscp 48  # the DSCP itself, not the ToS byte
  want cnp_priority 6
  want sets_ect on  # ECN bits of RoCE packets
  want roce_dscp 26  # where the firmware has no CNP service type
  want roce_priority 3  # the same
  port benic1p1 auto
  port benic2p1 auto
}
