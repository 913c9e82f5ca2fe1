# RoCE settings of node1: Data Center Bridging of Windows Server. Written by rocecfg for windows_dcb.
#
#   .\rocecfg-nic.ps1             read, compare, write what differs, read again
#   .\rocecfg-nic.ps1 -Check      compare only
#   .\rocecfg-nic.ps1 -Diff       print the commands that would run, run none of them
#   .\rocecfg-nic.ps1 -NoRestart  leave alone what restarts an adapter (its advanced properties)
#
# Exit: 0 all is as wanted, 1 something differs (-Check, -NoRestart), 3 something could not be read or written.
# Needs an elevated Windows PowerShell 5.1 or later and the feature Data-Center-Bridging. Settings persist.

[CmdletBinding()]
param(
    [switch]$Check,
    [switch]$Diff,
    [switch]$NoRestart
)

$Wanted = @{
    Willing = $false
    FlowControl = @(3)
    Policies = @(
        @{ Name = 'Cluster'; Condition = @{ Cluster = $true }; Priority = 7 }
        @{ Name = 'SMB Direct'; Condition = @{ NetDirectPortMatchCondition = 445 }; Priority = 3 }
        @{ Name = 'Default'; Condition = @{ Default = $true }; Priority = 0 }
    )
    TrafficClasses = @(
        @{ Name = 'priority 3'; Priority = @(3); Algorithm = 'ETS'; BandwidthPercentage = 50 }
        @{ Name = 'priority 7'; Priority = @(7); Algorithm = 'ETS'; BandwidthPercentage = 1 }
    )
    Adapters = @(
        @{ Name = 'Storage1'; Qos = $true; Rdma = $true; Properties = @{ '*FlowControl' = 0; '*JumboPacket' = 9014; '*NetworkDirectTechnology' = 4 } }
        @{ Name = 'Storage2'; Qos = $true; Rdma = $true; Properties = @{ '*FlowControl' = 0; '*JumboPacket' = 9014; '*NetworkDirectTechnology' = 4 } }
    )
}

