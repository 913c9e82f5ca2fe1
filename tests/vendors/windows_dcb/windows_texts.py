"""Texts of Windows hosts, written for these tests after the formats of Microsoft's documents."""

SCRIPT = """\
# storage network
Install-WindowsFeature Data-Center-Bridging
Set-NetQosDcbxSetting -Willing $false -Confirm:$false
New-NetQosPolicy 'SMB' -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3
New-NetQosPolicy 'Cluster' -Cluster -PriorityValue8021Action 7
New-NetQosPolicy "DEFAULT" -Default -PriorityValue8021Action 0
Disable-NetQosFlowControl -Priority 0,1,2,4,5,6,7
Enable-NetQosFlowControl  -Priority 3
New-NetQosTrafficClass 'SMB'     -Priority 3 -BandwidthPercentage 60 -Algorithm ETS
New-NetQosTrafficClass 'Cluster' -Priority 7 -BandwidthPercentage 1  -Algorithm ETS
Enable-NetAdapterQos  -Name 'RoCE-01','RoCE-02'
Enable-NetAdapterRdma -Name 'RoCE-01','RoCE-02'
Set-NetAdapterAdvancedProperty -Name 'RoCE-01' -RegistryKeyword '*JumboPacket' -RegistryValue 9014
Set-NetAdapterAdvancedProperty -Name 'RoCE-01' -RegistryKeyword '*FlowControl' -RegistryValue 0
Set-NetAdapterAdvancedProperty -Name 'RoCE-01' -RegistryKeyword '*NetworkDirectTechnology' -RegistryValue 4
"""
ADAPTER_QOS = """\
PS C:\\> Get-NetAdapterQos -Name 'SLOT 2'

Name                       : SLOT 2
Enabled                    : True
Capabilities               :                       Hardware     Current
                             --------     -------
                             MacSecBypass        : NotSupported NotSupported
                             DcbxSupport         : None         None
                             NumTCs(Max/ETS/PFC) : 8/8/8        8/8/8

OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                             0  ETS    39%       0-2,4-6
                             1  ETS    60%       3
                             2  Strict           7

OperationalFlowControl     : Priority 3 Enabled
OperationalClassifications : Protocol  Port/Type Priority
                             --------  --------- --------
                             Default             0
                             NetDirect 445       3

"""
TABLES = """\
PS C:\\> Get-NetQosDcbxSetting

Willing PolicySet IfIndex IfAlias
------- --------- ------- -------
False   Global


PS C:\\> Get-NetQosFlowControl

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
0          False      Global
1          False      Global
2          False      Global
3          True       Global
4          False      Global
5          False      Global
6          False      Global
7          False      Global


PS C:\\> Get-NetQosTrafficClass

Name                      Algorithm Bandwidth(%) Priority                  PolicySet        IfIndex IfAlias
----                      --------- ------------ --------                  ---------        ------- -------
[Default]                 ETS       49           0-2,4-6                   Global
SMB                       ETS       50           3                         Global
Cluster                   ETS       1            7                         Global


PS C:\\> Get-NetQosPolicy

Name           : SMB
Owner          : PowerShell / WMI
NetworkProfile : All
Precedence     : 127
Template       : None
JobObject      :
NetDirectPort  : 445
PriorityValue  : 3

Name           : Cluster
Owner          : PowerShell / WMI
NetworkProfile : All
Precedence     : 127
Template       : Cluster
JobObject      :
PriorityValue  : 7

PS C:\\> Get-NetAdapterRdma

Name       InterfaceDescription                     Enabled PFC   ETS
----       --------------------                     ------- ---   ---
Storage 1  Mellanox ConnectX-6 Lx Adapter           True    True  True
Storage 2  Mellanox ConnectX-6 Lx Adapter #2        True    True  True

PS C:\\> Get-NetAdapterAdvancedProperty -RegistryKeyword '*JumboPacket'

Name       DisplayName   DisplayValue RegistryKeyword RegistryValue
----       -----------   ------------ --------------- -------------
Storage 1  Jumbo Packet  9014         *JumboPacket    {9014}
Storage 2  Jumbo Packet  1514         *JumboPacket    {1514}
"""
JSON = """\
[
  {"Name": "SMB", "Template": "None", "NetDirectPortMatchCondition": 445, "PriorityValue8021Action": 3},
  {"Name": "Default", "Template": "Default", "NetDirectPortMatchCondition": 0, "PriorityValue8021Action": 0},
  {"Name": "[Default]", "Algorithm": 2, "BandwidthPercentage": 50, "Priority": [0, 1, 2, 4, 5, 6, 7]},
  {"Name": "SMB", "Algorithm": 2, "BandwidthPercentage": 50, "Priority": [3]},
  {"Priority": 3, "Enabled": true}, {"Priority": 4, "Enabled": false},
  {"Willing": true},
  {"CimClass": "something else"}
]
"""
