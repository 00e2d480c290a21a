"""Kills a random rank of a fit or a search across ranks at a random moment, then resumes on another number of ranks.

  ./dev reliability ranks [--only train|search] [--kills N] [--seed N]    needs MPI; builds with -DACCRETE_MPI=ON

All ranks must end within ten seconds of the kill, and the resumed one must have the result of one that nothing
disturbed: the bytes of the model, and the scores of a search. A launcher that does not end although all of its ranks
have ended is killed, and counted.
"""
import argparse
import json
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
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np"]
SECONDS_TO_END = 10.0
OUTPUT = "m.safetensors"


class Train:
    name, rows = "train", 20000
    words = ["train", "r.csv", "--auto", "off", "--units", "240", "--checkpoint-every", "8", "--threads", "1", "-q",
             "-o", OUTPUT]  # fmt: skip
    resumed = ["--resume"]

    def result(self, folder):
        return (folder / OUTPUT).read_bytes()


class Search:
    """The store has what was done before the kill."""

    name, rows = "search", 3000
    words = ["search", "r.csv", "--grid", "grid.json", "--folds", "5", "--store", "s.sqlite", "--threads", "1", "-q",
             "--json", "-o", OUTPUT]  # fmt: skip
    resumed = []

    def result(self, folder):
        return (folder / OUTPUT).read_bytes(), json.loads((folder / "printed").read_text())["tried"]


def prepare(scenario, folder):
    folder.mkdir()
    make = ["data", "make", "ringnorm", "-n", str(scenario.rows), "-o", "r.csv", "-q"]
    subprocess.run([ACCRETE, *make], cwd=folder, check=True)
    (folder / "grid.json").write_text('{"learning_rate": [0.1, 0.25, 0.5, 1], "subsample": [0.5, 1], "units": [100]}')
    return folder


def start(scenario, folder, ranks, *more):
    """On ranks, or in one process if `ranks` is 0."""
    launcher = [*MPIRUN, str(ranks)] if ranks > 0 else []
    return subprocess.Popen([*launcher, ACCRETE, *scenario.words, *more], cwd=folder,
                            stdout=(folder / "printed").open("w"), stderr=(folder / "errors").open("w"))  # fmt: skip


def ranks_of(launcher):
    """The processes of the ranks, in their order."""
    listed = subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True).stdout.split()
    return sorted(int(pid) for pid in listed if "accrete" in pathlib.Path(f"/proc/{pid}/cmdline").read_text())


def is_running(pid):
    """False for a process that has ended but has not been waited for."""
    try:
        return ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def end_launcher(launcher):
    """Returns whether the launcher had to be killed."""
    try:
        launcher.wait(SECONDS_TO_END)
        return False
    except subprocess.TimeoutExpired:
        launcher.kill()
        launcher.wait()
        return True


def kill_one(launcher, rng):
    """Kills a rank. Returns the seconds until all ranks have ended, or None if the fit was over."""
    try:
        pids = ranks_of(launcher)
        os.kill(rng.choice(pids), signal.SIGKILL)
    except (FileNotFoundError, IndexError, ProcessLookupError):
        return None
    begin = time.monotonic()
    while any(map(is_running, pids)) and time.monotonic() - begin < SECONDS_TO_END:
        time.sleep(0.01)
    return time.monotonic() - begin


def disturb(scenario, folder, rng, seconds, wanted):
    """Kills a rank and resumes. Returns the seconds until all ranks had ended, or None if nothing was left to kill; and
    whether the launcher had to be killed."""
    launcher = start(scenario, folder, rng.choice((2, 3, 4)))
    time.sleep(rng.uniform(0.0, 1.5 * seconds))
    end = kill_one(launcher, rng)
    was_stuck = end_launcher(launcher)
    if end is not None and end > SECONDS_TO_END:
        sys.exit(f"{scenario.name}: ranks still ran after {end:.1f} s")
    output = folder / OUTPUT
    if output.exists() and output.read_bytes() != wanted:
        sys.exit(f"{scenario.name}: the output is neither missing nor complete")
    resumed = start(scenario, folder, rng.choice((0, 1, 2, 3, 5)), *scenario.resumed)
    if resumed.wait() != 0:
        sys.exit(f"{scenario.name}: the resumed one ended with {resumed.returncode}: {(folder / 'errors').read_text()}")
    return end, was_stuck


def campaign(scenario, kills, rng):
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        inputs = prepare(scenario, base / "inputs")
        whole = shutil.copytree(inputs, base / "whole")
        begin = time.monotonic()
        if start(scenario, whole, 0).wait() != 0:
            sys.exit(f"{scenario.name}: {(whole / 'errors').read_text()}")
        seconds, wanted = time.monotonic() - begin, scenario.result(whole)
        ends, stuck = [], 0
        for run in range(kills):
            folder = shutil.copytree(inputs, base / f"run{run}")
            end, was_stuck = disturb(scenario, folder, rng, seconds, (whole / OUTPUT).read_bytes())
            ends.append(end)
            stuck += was_stuck
            if scenario.result(folder) != wanted:
                sys.exit(f"{scenario.name}: run {run} has another result")
            shutil.rmtree(folder)
            print(f"\r{scenario.name}: {run + 1} of {kills}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    ends = [end for end in ends if end is not None]
    within = f"all ranks ended within {max(ends, default=0.0):.1f} s"
    print(f"{scenario.name}: {kills} runs, {len(ends)} killed; {within}; {stuck} launchers did not end by themselves; "
          "all results equal", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["train", "search"])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for scenario in (Train(), Search()):
        if given.only in (None, scenario.name):
            campaign(scenario, given.kills, random.Random(given.seed))


if __name__ == "__main__":
    main()
