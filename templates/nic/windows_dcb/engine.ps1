{% raw %}
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$State = @{ Differences = 0; Left = 0; Failed = 0; Again = $false }

function Write-Failure([string]$Text) {
    $State.Failed = $State.Failed + 1
    [Console]::Error.WriteLine("error: $Text")
}

# Differs WHAT IS WANTED: true when they differ, and says so
function Test-Difference([string]$What, [string]$Is, [string]$Want) {
    if ($Is -eq $Want) { return $false }
    $State.Differences = $State.Differences + 1
    if ($Is -eq '') { $Is = 'unknown' }
    if ($State.Again) {
        Write-Failure "$What is still $Is, wanted $Want"
    } else {
        Write-Host "$What is $Is, wanted $Want"
    }
    return $true
}

# runs a command, or prints it, or neither, as the mode asks
function Invoke-Change([string]$Shown, [scriptblock]$Command) {
    if ($State.Again -or $Check) { return }
    if ($Diff) {
        Write-Host "    would run: $Shown"
        return
    }
    Write-Host "    run: $Shown"
    try {
        & $Command
    } catch {
        Write-Failure "$Shown failed: $_"
    }
}

# ---- settings of the whole host ---------------------------------------------------------------------------------

# while the host is willing, Windows hands none of the settings below to the adapters
function Update-Willing {
    if (-not $Wanted.ContainsKey('Willing')) { return }
    $is = @(Get-NetQosDcbxSetting)[0].Willing
    $want = $Wanted.Willing
    if (Test-Difference 'DCBX Willing' $is $want) {
        Invoke-Change "Set-NetQosDcbxSetting -Willing $want" {
            Set-NetQosDcbxSetting -Willing $want -Confirm:$false | Out-Null
        }
    }
}

function Update-FlowControl {
    if (-not $Wanted.ContainsKey('FlowControl')) { return }
    foreach ($priority in (0..7)) {
        $is = [bool](Get-NetQosFlowControl -Priority $priority).Enabled
        $want = $Wanted.FlowControl -contains $priority
        if (-not (Test-Difference "PFC of priority $priority" $is $want)) { continue }
        if ($want) {
            Invoke-Change "Enable-NetQosFlowControl -Priority $priority" {
                Enable-NetQosFlowControl -Priority $priority | Out-Null
            }
        } else {
            Invoke-Change "Disable-NetQosFlowControl -Priority $priority" {
                Disable-NetQosFlowControl -Priority $priority | Out-Null
            }
        }
    }
}

# true when a policy is about the same traffic, whatever its name
function Test-Condition($Policy, [hashtable]$Condition) {
    if ($Condition.ContainsKey('NetDirectPortMatchCondition')) {
        return [string]$Policy.NetDirectPortMatchCondition -eq [string]$Condition.NetDirectPortMatchCondition
    }
    $template = @($Condition.Keys)[0]
    return [string]$Policy.Template -eq $template
}

function Update-Policy([hashtable]$Policy) {
    $name = $Policy.Name
    $priority = $Policy.Priority
    $condition = $Policy.Condition
    $same = @(Get-NetQosPolicy | Where-Object { Test-Condition $_ $condition })
    foreach ($found in $same) {
        $other = $found.Name
        if (Test-Difference "priority of policy $other" $found.PriorityValue8021Action $priority) {
            Invoke-Change "Set-NetQosPolicy -Name '$other' -PriorityValue8021Action $priority" {
                $arguments = @{ Name = $other; PriorityValue8021Action = $priority }
                Set-NetQosPolicy @arguments | Out-Null
            }
        }
    }
    if ($same.Count -gt 0) { return }
    [void](Test-Difference "policy $name" 'missing' "priority $priority")
    if (Get-NetQosPolicy | Where-Object { $_.Name -eq $name }) {
        Invoke-Change "Remove-NetQosPolicy -Name '$name'" {
            Remove-NetQosPolicy -Name $name -Confirm:$false
        }
    }
    $key = @($condition.Keys)[0]
    $value = $condition[$key]
    Invoke-Change "New-NetQosPolicy -Name '$name' -$key $value -PriorityValue8021Action $priority" {
        $arguments = @{ Name = $name; PriorityValue8021Action = $priority }
        New-NetQosPolicy @arguments @condition | Out-Null
    }
}

function Format-Class($Priority, $Algorithm, $BandwidthPercentage) {
    $list = (@($Priority) | ForEach-Object { [int]$_ } | Sort-Object) -join ','
    if ([string]$Algorithm -eq 'ETS') { return "priorities $list ETS $BandwidthPercentage%" }
    return "priorities $list $Algorithm"
}

# classes that are not as wanted go first: a priority belongs to one class, and the shares may not exceed 99 %
function Update-TrafficClasses {
    if (-not $Wanted.ContainsKey('TrafficClasses')) { return }
    $want = @{}
    foreach ($class in $Wanted.TrafficClasses) {
        $want[(Format-Class $class.Priority $class.Algorithm $class.BandwidthPercentage)] = $class
    }
    $have = @{}
    foreach ($class in @(Get-NetQosTrafficClass | Where-Object { $_.Name -ne '[Default]' })) {
        $text = Format-Class $class.Priority $class.Algorithm $class.BandwidthPercentage
        if ($want.ContainsKey($text)) {
            $have[$text] = $true
            continue
        }
        $name = $class.Name
        [void](Test-Difference "traffic class $name" $text 'none like it')
        Invoke-Change "Remove-NetQosTrafficClass -Name '$name'" {
            Remove-NetQosTrafficClass -Name $name -Confirm:$false
        }
    }
    foreach ($text in @($want.Keys | Sort-Object)) {
        if ($have.ContainsKey($text)) { continue }
        [void](Test-Difference 'traffic class' 'missing' $text)
        $class = $want[$text]
        $arguments = @{ Name = $class.Name; Priority = $class.Priority; Algorithm = $class.Algorithm }
        if ($class.Algorithm -eq 'ETS') { $arguments.BandwidthPercentage = $class.BandwidthPercentage }
        Invoke-Change "New-NetQosTrafficClass -Name '$($class.Name)' ($text)" {
            New-NetQosTrafficClass @arguments | Out-Null
        }
    }
}

# ---- one adapter ------------------------------------------------------------------------------------------------

# a changed property restarts the adapter; what follows needs it back
function Wait-Adapter([string]$Name) {
    foreach ($second in (1..30)) {
        $adapter = Get-NetAdapter -Name $Name -ErrorAction SilentlyContinue
        if ($adapter -and $adapter.Status -eq 'Up') { return }
        Start-Sleep -Seconds 1
    }
    Write-Host "${Name}: still down 30 s after the change"
}

function Update-Property([string]$Adapter, [string]$Keyword, [string]$Want) {
    $found = @(Get-NetAdapterAdvancedProperty -Name $Adapter -RegistryKeyword $Keyword -ErrorAction SilentlyContinue)
    if ($found.Count -eq 0) {
        if (-not $State.Again) { Write-Host "${Adapter}: this driver has no $Keyword" }
        return
    }
    $is = @($found[0].RegistryValue)[0]
    if ($NoRestart -and $State.Again) { return }
    if (-not (Test-Difference "${Adapter}: $Keyword" $is $Want)) { return }
    if ($NoRestart) {
        Write-Host "${Adapter}: $Keyword is left as it is (-NoRestart)"
        $State.Left = $State.Left + 1
        return
    }
    Invoke-Change "Set-NetAdapterAdvancedProperty -Name '$Adapter' -RegistryKeyword '$Keyword' -RegistryValue $Want" {
        Set-NetAdapterAdvancedProperty -Name $Adapter -RegistryKeyword $Keyword -RegistryValue $Want
        Wait-Adapter $Adapter
    }
}

function Update-Adapter([hashtable]$Adapter) {
    $name = $Adapter.Name
    if (-not (Get-NetAdapter -Name $name -ErrorAction SilentlyContinue)) {
        Write-Failure "${name}: no such network adapter"
        return
    }
    foreach ($keyword in @($Adapter.Properties.Keys | Sort-Object)) {
        Update-Property $name $keyword $Adapter.Properties[$keyword]
    }
    $qos = Get-NetAdapterQos -Name $name -ErrorAction SilentlyContinue
    if (-not $qos) {
        Write-Failure "${name}: the adapter or its driver has no Data Center Bridging"
    } elseif (Test-Difference "${name}: DCB" $qos.Enabled $Adapter.Qos) {
        if ($Adapter.Qos) {
            Invoke-Change "Enable-NetAdapterQos -Name '$name'" {
                Enable-NetAdapterQos -Name $name
            }
        } else {
            Invoke-Change "Disable-NetAdapterQos -Name '$name'" {
                Disable-NetAdapterQos -Name $name
            }
        }
    }
    if (-not $Adapter.ContainsKey('Rdma')) { return }
    $rdma = Get-NetAdapterRdma -Name $name -ErrorAction SilentlyContinue
    if (-not $rdma) {
        Write-Failure "${name}: the adapter or its driver has no RDMA"
    } elseif (Test-Difference "${name}: RDMA" $rdma.Enabled $Adapter.Rdma) {
        Invoke-Change "Enable-NetAdapterRdma -Name '$name'" {
            Enable-NetAdapterRdma -Name $name
        }
    }
}

function Update-Everything {
    try {
        Update-Willing
        Update-FlowControl
        foreach ($policy in $Wanted.Policies) { Update-Policy $policy }
        Update-TrafficClasses
        foreach ($adapter in $Wanted.Adapters) { Update-Adapter $adapter }
    } catch {
        Write-Failure "$_"
    }
}

if (-not (Get-Command Get-NetQosFlowControl -ErrorAction SilentlyContinue)) {
    Write-Failure 'the feature is missing: Install-WindowsFeature Data-Center-Bridging'
    exit 3
}
if (Get-Command Get-NetIntent -ErrorAction SilentlyContinue) {
    Write-Host 'WARNING: Network ATC is installed; where it has a storage intent it owns these settings'
}
Update-Everything
if (-not $Check -and -not $Diff -and $State.Differences -gt $State.Left) {
    $State.Again = $true
    $State.Differences = 0
    Update-Everything
    $State.Differences = $State.Differences + $State.Left
}
if ($State.Failed -gt 0) { exit 3 }
if ($State.Differences -eq 0) {
    if (-not $State.Again) { Write-Host 'nothing to change' }
    exit 0
}
if ($Diff) { exit 0 }
exit 1
{% endraw %}
