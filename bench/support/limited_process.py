"""Runs a command with limited memory and writes what it used; run by bench/support/limited_ranks.py.

    python limited_process.py BYTES FOLDER COMMAND...

BYTES limits private writable memory (RLIMIT_DATA). Writes FOLDER/RANK.json when the command has ended, also if it
failed: its exit status, seconds and peaks in bytes. `resident` has the pages of files, which the system can drop, and
is the exact peak; `data` is what the limit applies to and `anonymous` its resident part, both sampled.
"""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time

SAMPLE_SECONDS = 0.02


def prepare(limit):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def sample(process, peaks):
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return
    for name, entry in (("data", "VmData"), ("anonymous", "RssAnon")):
        found = re.search(rf"(?m)^{entry}:\s+(\d+) kB", text)
        if found:
            peaks[name] = max(peaks[name], 1024 * int(found[1]))


def main():
    limit, folder, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the launcher sends it to the command too
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK", "0")
    start = time.monotonic()
    process = subprocess.Popen(command, preexec_fn=lambda: prepare(limit))
    peaks = {"data": 0, "anonymous": 0}
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        sample(process.pid, peaks)
        time.sleep(SAMPLE_SECONDS)
    status = os.waitstatus_to_exitcode(status)
    result = {"status": status, "seconds": time.monotonic() - start, "resident": 1024 * usage.ru_maxrss, **peaks}
    pathlib.Path(folder, f"{rank}.json").write_text(json.dumps(result))
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
