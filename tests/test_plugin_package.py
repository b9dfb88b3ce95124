"""A package that brings a system and a policy by entry points: found, named, built, held to the same laws as ours."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "plugin_package"

CODE = """
import json, sys
import ratesim as rs
from ratesim.jit import plain
from ratesim.policies import POLICIES
from ratesim.records import Career
from ratesim.systems.base import SYSTEMS
from ratesim.testing import checks_for

system = SYSTEMS.build({"kind": "ladder", "step": 30.0})
failed = {}
for calendar in (rs.PerGame(), rs.Months()):
    for check in checks_for(system, calendar):
        try:
            check()
        except AssertionError as error:
            failed[str(check)] = str(error)
kinds = list(SYSTEMS.kinds())
policy = POLICIES.build({"kind": "bounded", "policy": {"kind": "rested", "k": 30.0}, "most": 50.0})
kernels = policy.kernels()
q, gain = kernels.Params(*policy.params()), plain(kernels.gain)
ks = [gain(q, 1500.0, Career(9, 1, 0, idle, 0, 0)) for idle in (0, 73, 365)]
print(json.dumps({"ks": ks}))
print(json.dumps({"label": system.label, "module": type(system).__module__, "failed": failed, "kinds": kinds}))
"""


def test_a_system_and_a_policy_from_another_package_are_as_ours(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(PACKAGE, site, ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ks, found = map(json.loads, done.stdout.splitlines())
    assert found["failed"] == {}
    assert (found["label"], found["module"]) == ("ladder step=30", "ratesim_toy")
    assert {"elo", "glicko", "ladder"} <= set(found["kinds"])
    assert ks["ks"] == [30, 36, 50]
