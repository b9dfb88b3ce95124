"""A package that brings a system by entry point: found, named, built, and held to the same laws as ours."""

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
print(json.dumps({"label": system.label, "module": type(system).__module__, "failed": failed, "kinds": kinds}))
"""


def test_a_system_from_another_package_keeps_the_laws(tmp_path):
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
    found = json.loads(done.stdout)
    assert found["failed"] == {}
    assert (found["label"], found["module"]) == ("ladder step=30", "ratesim_toy")
    assert {"elo", "glicko", "ladder"} <= set(found["kinds"])
