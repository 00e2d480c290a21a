"""Kills commands at random moments and resumes them: the result must have the bytes of a run that was not disturbed.

  ./dev reliability crash [--kills N] [--seed N] [SCENARIO ...]     train, grow, search, experiment, deep
  ./dev reliability shared-store [--kills N] [--seed N] [SCENARIO ...]     search, experiment
  ./dev reliability failing-disk [SCENARIO ...]

`crash` sends SIGKILL. `shared-store` runs three processes of a command on one store at the same time and kills one of
them. `failing-disk` makes one system call after the other fail, the first write, then the second, and
so on, by a preloaded library: the command must end with one line and exit code 1, or succeed, and must not damage a
file. The scenario deep needs a build with libtorch (./dev build --deep) and is left out otherwise.
"""
import argparse
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCRETE = ROOT / "build/release/accrete"

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

/* Fails the call of number FAIL_AT among all writes, flushes and renames of the process, except those to a standard
   stream. At the end their number is written to COUNT_FILE. */
static int calls = 0;
static int fails(int file) {
  if (file >= 0 && file <= 2) return 0;
  return ++calls == atoi(getenv("FAIL_AT"));
}
__attribute__((destructor)) static void count(void) {
  const int all = calls;
  FILE* file = getenv("COUNT_FILE") ? fopen(getenv("COUNT_FILE"), "w") : NULL;
  if (!file) return;
  fprintf(file, "%d", all);
  fclose(file);
}
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))
ssize_t write(int f, const void* b, size_t n) {
  if (fails(f)) return errno = ENOSPC, -1;
  return REAL(ssize_t, "write", int, const void*, size_t)(f, b, n);
}
ssize_t pwrite64(int f, const void* b, size_t n, off_t at) {
  if (fails(f)) return errno = ENOSPC, -1;
  return REAL(ssize_t, "pwrite64", int, const void*, size_t, off_t)(f, b, n, at);
}
int fsync(int f) {
  if (fails(f)) return errno = EIO, -1;
  return REAL(int, "fsync", int)(f);
}
int fdatasync(int f) {
  if (fails(f)) return errno = EIO, -1;
  return REAL(int, "fdatasync", int)(f);
}
int rename(const char* a, const char* b) {
  if (fails(-1)) return errno = EIO, -1;
  return REAL(int, "rename", const char*, const char*)(a, b);
}
"""


def run(folder, *words, **options):
    return subprocess.run([ACCRETE, *words], cwd=folder, capture_output=True, text=True, **options)


def check_run(folder, *words, **options):
    end = run(folder, *words, **options)
    if end.returncode != 0:
        sys.exit(f"accrete {' '.join(words)}: exit code {end.returncode}: {end.stderr}")
    return end


class Scenario:
    """A command, the files it needs, and what must be the same whatever happens on the way."""

    name = ""
    words = ()

    def prepare(self, folder):
        check_run(folder, "data", "make", "ringnorm", "-n", "2000", "-o", "r.csv", "-q")

    def resumed(self):
        """The command that continues after a crash."""
        return self.words

    def result(self, folder):
        return (folder / "m.safetensors").read_bytes()

    def damage(self, folder, wanted):
        """What is wrong with the files of a command that did not end, or None."""
        output = folder / "m.safetensors"
        if output.exists() and output.read_bytes() != wanted:
            return "the output is neither missing nor complete"
        return None


class Train(Scenario):
    name = "train"
    words = ("train", "r.csv", "--target", "target", "--auto", "off", "--units", "240", "--checkpoint-every", "8",
             "-o", "m.safetensors", "-q", "--threads", "1")

    def resumed(self):
        return (*self.words, "--resume")


class Grow(Scenario):
    name = "grow"
    words = ("grow", "start.safetensors", "r.csv", "--units", "240", "-o", "m.safetensors", "-q", "--threads", "1")

    def prepare(self, folder):
        super().prepare(folder)
        check_run(folder, "train", "r.csv", "--target", "target", "--auto", "off", "--units", "40", "-o",
                  "start.safetensors", "-q")


class Stored(Scenario):
    """Finished fits are in a store; the result is the store without the times."""

    def stored(self, folder):
        with sqlite3.connect(folder / "runs.sqlite") as store:
            tables = sorted(name for (name,) in store.execute("select name from sqlite_master where type = 'table'"))
            rows = []
            for table in tables:
                columns = [row[1] for row in store.execute(f"pragma table_info('{table}')")]
                kept = [c for c in columns if not any(word in c for word in ("second", "time", "when", "date"))]
                rows += sorted(map(repr, store.execute(f"select {','.join(kept)} from '{table}'")))
        return rows

    def damage(self, folder, wanted):
        if (folder / "runs.sqlite").exists():
            with sqlite3.connect(folder / "runs.sqlite") as store:
                if store.execute("pragma integrity_check").fetchone() != ("ok",):
                    return "the store is damaged"
        return None


class Search(Stored):
    name = "search"
    words = ("search", "r.csv", "--target", "target", "--folds", "3", "--grid", "grid.json", "--store", "runs.sqlite",
             "-o", "m.safetensors", "-q", "--threads", "1")

    def prepare(self, folder):
        super().prepare(folder)
        (folder / "grid.json").write_text('{"alpha": [0.1, 1], "learning_rate": [0.1, 0.3], "units": [20, 40]}')

    def result(self, folder):
        return (folder / "m.safetensors").read_bytes(), self.stored(folder)

    def damage(self, folder, wanted):
        return super().damage(folder, wanted) or Scenario.damage(self, folder, wanted[0])


class Experiment(Stored):
    name = "experiment"
    words = ("experiment", "run", "table", "--data", "data", "--store", "runs.sqlite", "--tasks", "hepatitis",
             "--methods", "gbnn", "-q", "--threads", "1")

    def prepare(self, folder):
        (folder / "data").mkdir()
        check_run(folder, "data", "make", "ringnorm", "-n", "60", "-o", "data/hepatitis.csv", "-q")  # a task

    def result(self, folder):
        return self.stored(folder)


class Deep(Scenario):
    """The result is the network file without the seconds in its record and the checksum that covers them."""

    name = "deep"
    words = ("deep", "train", "r.csv", "--target", "target", "--arch", "dense:40,40", "--epochs", "80", "-o", "m.pt",
             "-q", "--threads", "1")

    def resumed(self):
        return (*self.words, "--resume")

    def result(self, folder):
        with zipfile.ZipFile(folder / "m.pt") as file:
            members = {name: file.read(name) for name in file.namelist()}
        for name, content in members.items():
            if name.endswith(".json"):
                description = json.loads(content)
                del description["checksum"], description["record"]["training"]["seconds"]
                members[name] = description
        return members

    def damage(self, folder, wanted):
        if (folder / "m.pt").exists() and self.result(folder) != wanted:
            return "the output is neither missing nor complete"
        return None


SCENARIOS = {s.name: s for s in (Train(), Grow(), Search(), Experiment(), Deep())}


def available():
    """The names of all scenarios that this build can run."""
    has_deep = subprocess.run([ACCRETE, "deep", "train", "--help"], capture_output=True).returncode == 0
    return [name for name in SCENARIOS if name != "deep" or has_deep]


class Trial:
    """A folder with the inputs of a scenario, to disturb; what must come out, and how long that takes undisturbed."""

    def __init__(self, scenario, folder, wanted, seconds):
        self.scenario, self.folder, self.wanted, self.seconds = scenario, folder, wanted, seconds

    def start(self, words, **options):
        return subprocess.Popen([ACCRETE, *words], cwd=self.folder, stdout=subprocess.DEVNULL, **options)

    def fail(self, what):
        sys.exit(f"{self.scenario.name}: {what} (in {self.folder.name})")

    def check(self):
        if self.scenario.result(self.folder) != self.wanted:
            self.fail("another result")


def repeat(scenario, runs, disturb):
    """Calls disturb(trial), which returns how many processes it killed, and checks the result, for each run."""
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        inputs = base / "inputs"
        inputs.mkdir()
        scenario.prepare(inputs)
        whole = shutil.copytree(inputs, base / "whole")
        start = time.monotonic()
        check_run(whole, *scenario.words)
        wanted, seconds = scenario.result(whole), time.monotonic() - start
        killed = 0
        for run in range(runs):
            trial = Trial(scenario, shutil.copytree(inputs, base / f"run{run}"), wanted, seconds)
            killed += disturb(trial)
            trial.check()
            shutil.rmtree(trial.folder)
            print(f"\r{scenario.name}: {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"| {scenario.name} | {runs} | {killed} | {seconds:.2f} | all results equal |", flush=True)


def crash(scenario, kills, rng):
    def kill_and_resume(trial):
        killed, words = 0, scenario.words
        for _ in range(1 + rng.randrange(2)):  # some are killed twice
            child = trial.start(words, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.0, trial.seconds))
            child.kill()
            killed += child.wait() == -9
            if found := scenario.damage(trial.folder, trial.wanted):
                trial.fail(f"{found} after a kill")
            words = scenario.resumed()
        check_run(trial.folder, *scenario.resumed())
        return killed

    repeat(scenario, kills, kill_and_resume)


def shared_store(scenario, kills, rng):
    def kill_one_of_three(trial):
        children = [trial.start(scenario.words, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        time.sleep(rng.uniform(0.0, trial.seconds))
        children[0].kill()
        ends = [(child.communicate()[1], child.returncode) for child in children]
        for errors, code in ends[1:]:
            if code != 0:
                trial.fail(f"exit code {code}: {errors}")
        return ends[0][1] == -9

    repeat(scenario, kills, kill_one_of_three)


def failing_disk(scenario, shim, max_runs):
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        inputs, count = base / "inputs", base / "count"
        inputs.mkdir()
        scenario.prepare(inputs)
        shutil.copytree(inputs, base / "whole")
        environment = {"LD_PRELOAD": str(shim), "PATH": "", "FAIL_AT": "0"}
        check_run(base / "whole", *scenario.words, env={**environment, "COUNT_FILE": str(count)})
        wanted, calls = scenario.result(base / "whole"), int(count.read_text())
        chosen = sorted({1 + i * calls // max_runs for i in range(max_runs)}) if calls else []
        failed = 0
        for call in chosen:
            folder = base / f"run{call}"
            shutil.copytree(inputs, folder)
            end = run(folder, *scenario.words, env={**environment, "FAIL_AT": str(call)})
            if end.returncode not in (0, 1) or (end.returncode == 1 and len(end.stderr.splitlines()) != 1):
                sys.exit(f"{scenario.name}: call {call} failed: exit code {end.returncode}: {end.stderr}")
            if found := scenario.damage(folder, wanted):
                sys.exit(f"{scenario.name}: {found} after call {call} failed: {end.stderr}")
            failed += end.returncode
            check_run(folder, *scenario.resumed())
            if scenario.result(folder) != wanted:
                sys.exit(f"{scenario.name}: another result after call {call} failed: {end.stderr}")
            shutil.rmtree(folder)
            print(f"\r{scenario.name}: call {call} of {calls}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        print(f"| {scenario.name} | {calls} | {len(chosen)} | {failed} | all results equal |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=("crash", "shared-store", "failing-disk"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    given = parser.parse_intermixed_args()
    if unknown := set(given.scenarios) - set(SCENARIOS):
        parser.error(f"unknown scenario {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
    chosen = [SCENARIOS[name] for name in given.scenarios or available()]
    if given.campaign == "shared-store":
        chosen = [scenario for scenario in chosen if isinstance(scenario, Stored)]
    if given.campaign != "failing-disk":
        print("| command | runs | kills | seconds undisturbed | result |\n|---|---|---|---|---|")
        for scenario in chosen:
            (crash if given.campaign == "crash" else shared_store)(scenario, given.kills, random.Random(given.seed))
        return
    print("| command | calls | failed in turn | ended with one line | result |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        source, shim = pathlib.Path(folder, "shim.c"), pathlib.Path(folder, "shim.so")
        source.write_text(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
        for scenario in chosen:
            failing_disk(scenario, shim, given.kills)


if __name__ == "__main__":
    main()
