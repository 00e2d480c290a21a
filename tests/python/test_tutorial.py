"""The tutorial runs and writes its files."""

import os
import subprocess
import sys

from conftest import ROOT


def test_tutorial_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "tutorial.py"],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, done.stderr
    for name in ("curve.png", "importances.png", "digits.onnx", "digits.h", "digits.safetensors"):
        assert (tmp_path / "tutorial" / name).stat().st_size > 1000
