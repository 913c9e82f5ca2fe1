#!/usr/bin/env bash
# RoCE settings of gpu01: ports of Intel E810 and E830 NICs (ice). Written by rocecfg for ice.
#
#   rocecfg-nic.sh            read, compare, write what differs, read again
#   rocecfg-nic.sh --check    compare only
#   rocecfg-nic.sh --diff     print the commands that would run, run none of them
#   rocecfg-nic.sh --no-flap  leave alone what takes a link down (every change of DCB)
#
# Exit: 0 all is as wanted, 1 something differs (--check, --no-flap), 2 wrong option, 3 something could not be read
# or written. Needs root. Only the firmware agent's switch survives a reboot.

# shellcheck disable=SC2317,SC2329 # the functions of a tool are called by its name
set -euo pipefail

wanted() {
  settings
  want fw_lldp_agent off  # kept in the card's memory over reboots
  want link_speed 400000  # Mb/s, compared and never set
  want dcb_owner os  # who writes the DCB settings below
  want trust dscp
  want dscp_to_priority 26:3,48:2
  want kept_tcs 2,3  # TCs that only these DSCPs use
  want other_dscps 0  # where the driver's map would put others there
  want pfc 3  # lossless priorities
  want tc_scheduler ets,ets,strict,ets  # TC 0 to 3
  want tc_share 39,2,0,59  # percent
  want pause_rx off  # 802.3x pause of the whole link
  want pause_tx off  # 802.3x pause of the whole link
  want mtu 9000  # netdev MTU: the IP packet
  want roce_mode 2  # RDMA-CM applications
  want roce_tos 106  # RDMA-CM applications: DSCP 26, ECN bits 2
  want congestion_control dcqcn  # of the whole RDMA device
  port ens801f0 auto
  port ens801f1 auto
}
