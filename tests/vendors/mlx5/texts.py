"""Texts written for these tests: what the tools print, and a script as an administrator writes it."""

# ruff: noqa: W291 - the tools end lines with blanks

QOS = """\
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:1 dscp:15,14,13,12,11,10,09,08,
\tprio:2 dscp:23,22,21,20,19,18,17,16,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
\tprio:4 dscp:39,38,37,36,35,34,33,32,
\tprio:5 dscp:46,47,45,44,43,42,41,40,
\tprio:5 dscp:60,
\tprio:6 dscp:55,54,53,52,51,50,49,48,
\tprio:7 dscp:62,61,59,58,57,56,
Receive buffer size (bytes): 20352,241664,0,0,0,0,0,0,max_buffer_size=262016
Cable len: 20
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0   
\tbuffer      0   0   0   1   0   0   0   0   
tc: 1 ratelimit: unlimited, tsa: ets, bw: 30%
\t priority:  0
\t priority:  1
\t priority:  2
\t priority:  4
\t priority:  5
\t priority:  7
tc: 3 ratelimit: 40.0 Gbps, tsa: ets, bw: 70%
\t priority:  3
tc: 6 ratelimit: unlimited, tsa: strict
\t priority:  6
"""

QOS_OLD = """\
DCBX mode: Firmware controlled
Priority trust state: pcp
Buffers commands are not supported on your system
Cable len: 7
PFC configuration:
        priority    0   1   2   3   4   5   6   7
        enabled     0   0   0   0   1   0   0   0
tc: 0 ratelimit: unlimited, tsa: vendor
         priority:  1
tc: 1 ratelimit: unlimited, tsa: vendor
         priority:  0
"""

QOS_TOTAL = QOS.replace("max_buffer_size=", "total_size=").replace(
    "Receive buffer", "default priority:\nReceive buffer"
)

SCRIPT = """\
#!/bin/bash
# the lab's own script; not ours
set -eu
LOSSLESS=0,0,0,1,0,0,0,0 CABLE=25
# mlnx_qos -i ens9 --pfc 1,1,1,1,1,1,1,1
for IF in ens1f0np0 ens1f1np1; do
  ethtool -A "$IF" autoneg off rx off tx off || true   # fails when nothing changes
  mlnx_qos -i "$IF" -d os >/dev/null
  mlnx_qos -i "$IF" --trust dscp >/dev/null 2>&1
  mlnx_qos -i "$IF" --dscp2prio set,26,3 --dscp2prio set,48,5 \\
           --dscp2prio del,30,3
  mlnx_qos -i "$IF" --pfc "$LOSSLESS" --cable_len "$CABLE"
  mlnx_qos -i "$IF" -p 0,0,0,3,0,0,6,0 -s ets,ets,ets,ets,ets,ets,strict,ets -t 10,0,0,90,0,0,0,0
  mlnx_qos -i "$IF" -r 0,0,0,0,0,0,25,0
  ip link set "$IF" mtu 4200
  ethtool --set-tunable $IF pfc-prevention-tout auto
  E=/sys/class/net/$IF/ecn
  if [ -d "$E" ]; then
    echo 1 > "$E/roce_np/enable/3"; echo 1 > "$E/roce_rp/enable/3"
    echo 48 > "$E/roce_np/cnp_dscp"; echo 6 > ${E}/roce_np/cnp_802p_prio
  fi
done
modprobe rdma_cm
for DEV in mlx5_0 mlx5_1; do cma_roce_mode -d $DEV -p 1 -m 2 >/dev/null; cma_roce_tos -d $DEV -t 106 ; done
T=/sys/class/infiniband/mlx5_0/tc/1/traffic_class; [ -w "$T" ] && echo 106 > "$T"
mlxconfig -y -d 0000:17:00.0 set ROCE_CC_PRIO_MASK_P1=255 CNP_DSCP_P1=48 LLDP_NB_DCBX_P1=FALSE LLDP_NB_RX_MODE_P1=0
echo done
"""

DCB_SCRIPT = """\
#!/bin/sh
dcb dcbx set dev eth0 host ieee
dcb app replace dev eth0 dscp-prio all:0 AF31:3 48:6
sudo dcb pfc set dev eth0 prio-pfc all:off 3:on delay 30
dcb ets set dev eth0 willing off prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0 tc-tsa all:strict 0:ets 1:ets tc-bw all:0 0:10 1:90
dcb maxrate set dev eth0 tc-maxrate all:0 2:10Gbit
dcb buffer set dev eth0 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:262144
"""

DCB = """\
root@gpu01:~# dcb pfc show dev eth0
pfc-cap 8 macsec-bypass off delay 7 
prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off 
root@gpu01:~# dcb app show dev eth0
default-prio 0 
dscp-prio AF31:3 CS6:6 0x0a:4 
root@gpu01:~# dcb ets show dev eth0
willing off ets-cap 8 cbs off 
tc-bw 0:10 1:0 2:0 3:90 4:0 5:0 6:0 7:0 
pg-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 
tc-tsa 0:ets 1:ets 2:ets 3:ets 4:ets 5:ets 6:strict 7:ets 
prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:0 
reco-tc-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 
root@gpu01:~# dcb buffer show dev eth0
prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0 
buffer-size 0:20352b 1:256Kb 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b total-size 524160b 
root@gpu01:~# dcb maxrate show dev eth0
tc-maxrate 0:0bit 1:0bit 2:0bit 3:0bit 4:0bit 5:0bit 6:800Mbit 7:0bit 
root@gpu01:~# dcb dcbx show dev eth0
host ieee 
root@gpu01:~# uptime
 10:00:00 up 1 day
"""

DCB_JSON = {
    "dcb -j pfc show dev eth0": '{"pfc_cap":8,"macsec_bypass":false,"delay":7,'
    '"prio_pfc":[false,false,false,true,false,false,false,false]}',
    "dcb -j app show dev eth0": '{"default_prio":[0],"dscp_prio":[[26,3," "],[48,6," "],[10,4," "]]}',
    "dcb -j ets show dev eth0": '{"willing":false,"ets_cap":8,"cbs":false,"tc_bw":[10,0,0,90,0,0,0,0],'
    '"pg_bw":[0,0,0,0,0,0,0,0],"tc_tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],'
    '"prio_tc":[0,0,0,3,0,0,6,0],"reco_tc_bw":[0,0,0,0,0,0,0,0]}',
    "dcb -j buffer show dev eth0": '{"prio_buffer":[0,0,0,1,0,0,0,0],"buffer_size":[20352,262144,0,0,0,0,0,0],"total_size":524160}',
    "dcb -j maxrate show dev eth0": '{"tc_maxrate":[0,0,0,0,0,0,100000000,0]}',
    "dcb -j dcbx show dev eth0": '{"host":true,"ieee":true}',
}

MLXCONFIG = """\

Device #1:
----------

Device type:        ConnectX7           
Name:               SYNTHETIC-CARD      
Description:        a card of these tests
Device:             0000:17:00.0        

Configurations:                                         Default             Current             Next Boot
        MEMIC_BAR_SIZE                                  0                   0                   0
*       ROCE_CC_PRIO_MASK_P1                            255                 255                 8
        ROCE_CC_PRIO_MASK_P2                            255                 255                 255
*       CNP_DSCP_P1                                     48                  48                  4
        CNP_802P_PRIO_P1                                6                   6                   6
 RO     SOME_ARRAY                                      Array[0..3]         Array[0..3]         Array[0..3]
        RPG_AI_RATE_P1                                  5                   40                  40
        LLDP_NB_DCBX_P1                                 False(0)            True(1)             True(1)
        LLDP_NB_TX_MODE_P1                              OFF(0)              ALL(2)              ALL(2)
        DCBX_WILLING_P1                                 True(1)             True(1)             True(1)
        ROCE_CONTROL                                    ROCE_ENABLE(2)      ROCE_ENABLE(2)      ROCE_ENABLE(2)
The '*' shows parameters with next value different from default/current value.

The 'RO' shows parameters which are for read only and cannot be changed
"""

MLXCONFIG_JSON = """\
{"Device #1": {"device_type": "ConnectX7", "name": "SYNTHETIC", "description": "x", "device": "/dev/mst/mt4129_pciconf0",
 "tlv_configuration": {
  "CNP_DSCP_P1": {"read_only": false, "next_value": 4, "modified": true, "default_value": 48, "current_value": 48},
  "LLDP_NB_DCBX_P1": {"read_only": false, "next_value": "False(0)"},
  "ROCE_CC_PRIO_MASK_P1": {"read_only": false, "next_value": 8}}}}
"""

GIDS = (
    "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n"
    "---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
    "mlx5_0\t1\t0\tfe80:0000:0000:0000:0a94:efff:fe01:0203\t\t\tv1\tens1f0np0\n"
    "mlx5_0\t1\t1\tfe80:0000:0000:0000:0a94:efff:fe01:0203\t\t\tv2\tens1f0np0\n"
    "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c0a8:0a0b\t192.168.10.11  \tv2\tens1f0np0\n"
    "n_gids_found=3\n"
)

SYSFS = """\
/sys/class/net/ens1f0np0/mtu:9000
/sys/class/net/ens1f0np0/speed:400000
/sys/class/net/ens1f0np0/ecn/roce_np/cnp_802p_prio:6
/sys/class/net/ens1f0np0/ecn/roce_np/cnp_dscp:48
/sys/class/net/ens1f0np0/ecn/roce_np/min_time_between_cnps:4
/sys/class/net/ens1f0np0/ecn/roce_np/enable/2:0
/sys/class/net/ens1f0np0/ecn/roce_np/enable/3:1
/sys/class/net/ens1f0np0/ecn/roce_rp/enable/2:0
/sys/class/net/ens1f0np0/ecn/roce_rp/enable/3:1
/sys/class/net/ens1f0np0/ecn/roce_rp/rpg_ai_rate:5
/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=106
/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0:ens1f0np0
/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos:106
/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode:RoCE v2
/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/rp_hai_rate:50
"""

ETHTOOL = """\
Pause parameters for ens1f0np0:
Autonegotiate:\toff
RX:\t\ton
TX:\t\toff

"""
