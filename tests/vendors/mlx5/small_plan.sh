#!/usr/bin/env bash
# RoCE settings of gpu01: ports of NVIDIA ConnectX and BlueField NICs (mlx5). Written by rocecfg for mlx5.
#
#   rocecfg-nic.sh            read, compare, write what differs, read again
#   rocecfg-nic.sh --check    compare only
#   rocecfg-nic.sh --diff     print the commands that would run, run none of them
#   rocecfg-nic.sh --no-flap  leave alone what takes a link down (a change of the PFC priorities)
#
# Exit: 0 all is as wanted, 1 something differs (--check, --no-flap), 2 wrong option, 3 something could not be read
# or written. Needs root. Firmware values take effect at the next reset of the card, which this script never does.

# shellcheck disable=SC2317,SC2329 # the functions of a tool are called by its name
set -euo pipefail

wanted() {
  settings
  want link_speed 400000  # Mb/s, compared and never set
  want dcb_owner os  # who writes the DCB settings below
  want trust dscp
  want dscp_to_priority 0-7:0,8-15:1,16-23:2,24-25:0,26:3,27-31:0,32-39:4,40-47:5,48:6,49-55:0,56-63:7
  want pfc 3  # lossless priorities; a change takes the link down and up
  want cable 30  # m; the driver keeps 170480 B of headroom for it
  want priority_to_tc 0,0,0,3,0,0,6,0
  want tc_scheduler ets,strict,strict,ets,strict,strict,strict,strict
  want tc_share 40,0,0,60,0,0,0,0  # percent
  want pause_rx off  # 802.3x pause of the whole link
  want pause_tx off  # 802.3x pause of the whole link
  want mtu 9000  # netdev MTU: the IP packet
  want pause_storm_timeout 100  # ms until the NIC stops pausing by itself, 0 = never
  want roce_mode 2  # RDMA-CM applications
  want roce_tos 106  # RDMA-CM applications: DSCP 26, ECN bits 2
  want cc_receives 3  # priorities on which marks are answered with CNPs
  want cc_reacts 3  # priorities on which CNPs slow the sender down
  want cnp_dscp 48  # the DSCP itself, not the ToS byte
  want cnp_priority 6
  want firmware ROCE_CC_PRIO_MASK 8
  want firmware CNP_DSCP 48
  want firmware CNP_802P_PRIO 6
  want firmware LLDP_NB_DCBX 0
  want firmware LLDP_NB_RX_MODE 0
  want firmware LLDP_NB_TX_MODE 0
  port ens1f0np0 mlx5_0

  settings
  want link_speed 400000  # Mb/s, compared and never set
  want dcb_owner os  # who writes the DCB settings below
  want trust dscp
  want dscp_to_priority 0-7:0,8-15:1,16-23:2,24-25:0,26:3,27-31:0,32-39:4,40-47:5,48:6,49-55:0,56-63:7
  want pfc 3  # lossless priorities; a change takes the link down and up
  want cable 3  # m; the driver keeps 147280 B of headroom for it
  want priority_to_tc 0,0,0,3,0,0,6,0
  want tc_scheduler ets,strict,strict,ets,strict,strict,strict,strict
  want tc_share 40,0,0,60,0,0,0,0  # percent
  want pause_rx off  # 802.3x pause of the whole link
  want pause_tx off  # 802.3x pause of the whole link
  want mtu 9000  # netdev MTU: the IP packet
  want roce_mode 2  # RDMA-CM applications
  want roce_tos 106  # RDMA-CM applications: DSCP 26, ECN bits 2
  want cc_receives 3  # priorities on which marks are answered with CNPs
  want cc_reacts 3  # priorities on which CNPs slow the sender down
  want cnp_dscp 48  # the DSCP itself, not the ToS byte
  want cnp_priority 6
  want firmware ROCE_CC_PRIO_MASK 8
  want firmware CNP_DSCP 48
  want firmware CNP_802P_PRIO 6
  want firmware LLDP_NB_DCBX 0
  want firmware LLDP_NB_RX_MODE 0
  want firmware LLDP_NB_TX_MODE 0
  port ens1f1np1 auto
}
