"""schemathesis makes requests from the published OpenAPI file, valid and invalid ones; no reply may contradict it."""

import subprocess
import sys
from pathlib import Path


def test_replies_agree_with_the_openapi_file(server, tmp_path):
    program = Path(sys.executable).with_name("schemathesis")
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    words = [program, "run", f"{server.url}/openapi.json", "--checks", checks, "--max-examples", "30", "--seed", "1"]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout[-4000:]
