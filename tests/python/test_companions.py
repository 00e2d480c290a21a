"""The examples of docs/companions.md run."""

import re

import pytest
from conftest import ROOT

TEXT = (ROOT / "docs" / "companions.md").read_text()
EXAMPLES = dict(re.findall(r"^## ([^\n]*)\n(?:(?!^## ).)*?```python\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("heading", EXAMPLES)
def test_example_runs(heading, tmp_path, monkeypatch):
    for package in re.findall(r"^(?:import|from) (\w+)", EXAMPLES[heading], re.MULTILINE):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    exec(EXAMPLES[heading], {})


def test_every_section_has_an_example():
    assert len(EXAMPLES) == TEXT.count("```python")
