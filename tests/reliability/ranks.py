"""Kills a random rank of a fit across ranks at a random moment, then resumes it on another number of ranks.

  ./dev reliability ranks [--kills N] [--seed N]     needs an MPI launcher; builds with -DACCRETE_MPI=ON

All ranks must end within ten seconds of the kill, and the resumed fit must have the bytes of one that nothing
disturbed.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCRETE = str(ROOT / "build/release/accrete")
WORDS = ["train", "r.csv", "--auto", "off", "--units", "240", "--checkpoint-every", "8", "--threads", "1", "-q",
         "-o", "m.safetensors"]  # fmt: skip
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np"]
SECONDS_TO_END = 10.0


def start(folder, ranks, *more):
    return subprocess.Popen([*MPIRUN, str(ranks), ACCRETE, *WORDS, *more], cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=(folder / "errors").open("w"))  # fmt: skip


def ranks_of(launcher):
    """The processes of the ranks, in their order."""
    listed = subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True).stdout.split()
    return sorted(int(pid) for pid in listed if "accrete" in pathlib.Path(f"/proc/{pid}/cmdline").read_text())


def kill_one(launcher, rng):
    """Kills a rank. Returns the seconds until all have ended, or None if the fit was over."""
    try:
        pids = ranks_of(launcher)
        os.kill(rng.choice(pids), signal.SIGKILL)
    except (FileNotFoundError, IndexError, ProcessLookupError):
        return None
    begin = time.monotonic()
    launcher.wait()
    while any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() - begin < SECONDS_TO_END:
        time.sleep(0.01)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        inputs = base / "inputs"
        inputs.mkdir()
        make = ["data", "make", "ringnorm", "-n", "20000", "-o", "r.csv", "-q"]
        subprocess.run([ACCRETE, *make], cwd=inputs, check=True)
        whole = shutil.copytree(inputs, base / "whole")
        begin = time.monotonic()
        subprocess.run([ACCRETE, *WORDS], cwd=whole, check=True)
        seconds, wanted = time.monotonic() - begin, (whole / "m.safetensors").read_bytes()
        ends = []
        for attempt in range(given.kills):
            folder = shutil.copytree(inputs, base / f"run{attempt}")
            launcher = start(folder, rng.choice((2, 3, 4)))
            time.sleep(rng.uniform(0.0, 1.5 * seconds))
            end = kill_one(launcher, rng)
            launcher.wait()
            if end is not None:
                ends.append(end)
                if end > SECONDS_TO_END:
                    sys.exit(f"kill {attempt}: ranks still ran after {end:.1f} s")
            output = folder / "m.safetensors"
            if output.exists() and output.read_bytes() != wanted:
                sys.exit(f"kill {attempt}: the output is neither missing nor complete")
            resumed = start(folder, rng.choice((1, 2, 3, 5)), "--resume")
            if resumed.wait() != 0 or output.read_bytes() != wanted:
                errors = (folder / "errors").read_text()
                sys.exit(f"kill {attempt}: the resumed fit ended with {resumed.returncode} or other bytes: {errors}")
            shutil.rmtree(folder)
            print(f"\r{attempt + 1} of {given.kills}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    slowest = max(ends, default=0.0)
    print(f"{given.kills} runs, {len(ends)} killed; all ranks ended within {slowest:.1f} s; all results equal")


if __name__ == "__main__":
    main()
