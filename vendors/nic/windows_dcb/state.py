"""Windows Server and Azure Local hosts: Data Center Bridging of the operating system, both directions.

The neutral words on this system: traffic class = the 802.1p priority; queue = the NetQosTrafficClass, called by its
lowest priority; `app_to_tc` = the NetQosPolicies, ("netdirect", 445, 3) for SMB Direct, ("cluster", 0, 7) for the
heartbeats of a failover cluster. Policies, PFC and traffic classes belong to the whole host (Windows' word: Global);
an adapter takes part in them where DCB is enabled on it.
"""

from __future__ import annotations

from pathlib import Path

from rocecfg.packs import load_module

_HERE = Path(__file__)

to_state = load_module(_HERE.with_name("read.py")).to_state
defaults = load_module(_HERE.parents[1] / "linux" / "effective.py").defaults
fit = load_module(_HERE.with_name("fit.py")).fit
from_state = load_module(_HERE.with_name("view.py")).from_state
