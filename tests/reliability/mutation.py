"""Breaks random lines of the learner, one at a time, and runs the unit tests: a test should fail for each.

  ./dev reliability mutation [--count N] [--seed N] [--jobs N] [--build DIR] [--output FILE]

A mutant is a source file of the learner's modules, or a header of the solvers, with one small change: another operator,
a number one larger, a statement removed. It is compiled with the command of the build and linked into the unit tests
before the library, whose own copy is then left out, so the sources and the build are not touched. The tests of the same
module run first, then the others. A mutant that does not compile is replaced by another. Survivors are printed with
their lines. Tests that fail without a mutant would catch every one, so they are printed and left out.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from tidy import closure  # noqa: E402

MODULES = "activation", "backend", "boosting", "config", "data", "loss", "metric", "network", "solver"
NO_LEARNER = re.compile(r"/cuda/|/data/generate")  # the numbers of example data are arbitrary
MAX_SECONDS = 600  # a mutant whose tests take longer, in a loop that does not end, is caught

# What is replaced, by what. Spaces around an operator tell it from template brackets and signs.
SWAPS = {
    " < ": " >= ", " <= ": " > ", " > ": " <= ", " >= ": " < ", " == ": " != ", " != ": " == ",
    " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " += ": " -= ", " -= ": " += ",
    " && ": " || ", " || ": " && ", "true": "false", "false": "true",
    "std::min(": "std::max(", "std::max(": "std::min(",
}  # fmt: skip
NUMBER = re.compile(r"(?<![\w.'])(?<!e-)(\d+)(?![\w.'])")  # 1e-9 is a tolerance: one more is the same
STATEMENT = re.compile(
    r"^\s+(?!return|throw|using|const|auto|static|constexpr|case|break|continue|std::\w+<)"
    r"[\w:.\[\]()*>-]+( [-+*/]?= .*|\(.*\));$"
)
# Lines whose change alters speed, memory or a message, but no result, and lines that are no code.
SKIPPED = re.compile(
    r"^\s*(//|#|\*|template|using|static_assert|namespace)|prefetch|reserve\(|min_parallel|line_floats|\bthrow\b|"
    r"core::message\(|HWY_|noexcept|chunk_rows|aligned|operator"
)


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: pathlib.Path
    line: int  # from 0
    before: str
    after: str

    def show(self):
        return f"{self.path.relative_to(ROOT)}:{self.line + 1}: {self.before.strip()}  ->  {self.after.strip()}"


def changes(line):
    """All mutants of a line, as text."""
    code = line.split("//")[0].rstrip()
    found = []
    for old, new in SWAPS.items():
        for match in re.finditer(rf"\b{old}\b" if old.isalpha() else re.escape(old), code):
            found.append(code[: match.start()] + new + code[match.end() :])
    for match in NUMBER.finditer(code):
        found.append(code[: match.start()] + str(int(match.group()) + 1) + code[match.end() :])
    if STATEMENT.match(code):
        found.append(code[: len(code) - len(code.lstrip())] + ";")
    return found


def all_mutants(sources):
    mutants = []
    for path in sources:
        for number, line in enumerate(path.read_text().split("\n")):
            if '"' not in line and not SKIPPED.search(line):
                mutants += [Mutant(path, number, line, after) for after in changes(line)]
    return mutants


class Build:
    """Commands of a finished build of the unit tests."""

    def __init__(self, folder):
        self.folder = folder
        self.tests = folder / "accrete_tests"
        commands = subprocess.check_output(["ninja", "-C", folder, "-t", "commands", "accrete_tests"], text=True)
        links = [line for line in commands.split("\n") if " -o accrete_tests " in line]
        self.link = shlex.split(links[-1].removeprefix(": && ").partition(" && ")[0])
        entries = json.loads((folder / "compile_commands.json").read_text())
        # A file that several targets compile is compiled as for the tests.
        linked = set(self.link)
        entries.sort(key=lambda entry: not linked.isdisjoint(shlex.split(entry["command"])))
        self.compile = {pathlib.Path(e["file"]): e["command"] for e in entries}

    def sources(self):
        modules = [ROOT / "accrete" / module for module in MODULES]
        files = [p for p in self.compile if any(r in p.parents for r in modules) and not NO_LEARNER.search(str(p))]
        return sorted(files + list((ROOT / "accrete/solver").glob("*.hpp")))

    def compiled_from(self, path):
        """The files to compile for a change of this one: itself, or those that include a header."""
        if path in self.compile:
            return [path]
        # All of them: the linker takes an inline function from any file that has it.
        folders = ROOT / "accrete", ROOT / "tests"
        files = [p for p in self.compile if any(f in p.parents for f in folders) and "cuda" not in p.parts]
        return [p for p in files if path in closure(p)]

    def make(self, mutant, scratch):
        """The path of the unit tests with the mutant, or None if it does not compile."""
        changed = scratch / mutant.path.relative_to(ROOT)
        changed.parent.mkdir(parents=True)
        lines = mutant.path.read_text().split("\n")
        lines[mutant.line] = mutant.after
        changed.write_text("\n".join(lines))
        link, objects = list(self.link), []
        for number, path in enumerate(self.compiled_from(mutant.path)):
            words = shlex.split(self.compile[path])
            at = words.index("-o") + 1
            old, new = words[at], str(scratch / f"{number}.o")
            words[at] = new
            words[words.index(str(path))] = str(changed if path == mutant.path else path)
            first = next(i for i, word in enumerate(words) if word.startswith("-"))
            words[first:first] = ["-I", str(scratch), "-I", str(ROOT), "-w"]
            if subprocess.run(words, cwd=self.folder, capture_output=True).returncode != 0:
                return None
            if old in link:  # a test
                link[link.index(old)] = new
            else:
                objects.append(new)
        link[link.index("-o") + 1] = str(scratch / "tests")
        first = link.index("libaccrete.a")
        link[first:first] = objects
        if subprocess.run(link, cwd=self.folder, capture_output=True).returncode != 0:
            return None
        return scratch / "tests"


def suites_of(module):
    """Names of the test suites in tests/ROOM."""
    names = set()
    for path in (ROOT / "tests" / module).rglob("*_test.cpp"):
        names.update(re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),", path.read_text(), re.MULTILINE))
    return names


def room_of(path):
    return path.relative_to(ROOT / "accrete").parts[0]


def _patterns(suites):
    return ":".join(f"{name}.*:*/{name}.*:{name}/*" for name in sorted(suites))


@functools.cache
def filters_of(module):
    """The tests of the module, then all that need no command and no other component."""
    skipped_modules = "cli", "report", "serve", "store"
    own = _patterns(suites_of(module))
    skipped = _patterns(name for other in skipped_modules for name in suites_of(other))
    slow = "Slow*:*/Slow*"
    others = f"*-{slow}:{skipped}"
    return [f"{own}-{slow}", others] if own else [others]


def run_tests(program, tests, scratch, *flags):
    """The end of the program; None if it takes too long."""
    words = [program, "--gtest_brief=1", *flags, f"--gtest_filter={tests}"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    try:
        return subprocess.run(words, cwd=scratch, env=environment, capture_output=True, text=True, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return None


def failing_tests(program, tests):
    """Names of the tests that fail without a mutant."""
    with tempfile.TemporaryDirectory() as scratch:
        end = run_tests(program, tests, pathlib.Path(scratch))
        names = set(re.findall(r"^\[  FAILED  \] ([\w./]+)", end.stdout, re.MULTILINE)) if end else set()
        if end is None or (end.returncode != 0 and not names):
            raise SystemExit(f"the tests do not end well without a mutant: {program} --gtest_filter='{tests}'")
        return names


def try_mutant(build, mutant, left_out):
    """'caught', 'survived' or 'no mutant'."""
    with tempfile.TemporaryDirectory() as folder:
        program = build.make(mutant, pathlib.Path(folder))
        if program is None:
            return "no mutant"
        for tests in filters_of(room_of(mutant.path)):
            end = run_tests(program, ":".join([tests, *left_out]), pathlib.Path(folder), "--gtest_fail_fast")
            if end is None or end.returncode != 0:
                return "caught"
        return "survived"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no mutant after this time")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/files")
    parser.add_argument("--output", type=pathlib.Path, help="file of all results")
    asked = parser.parse_args()
    build = Build(asked.build.resolve())
    if not build.tests.is_file():
        sys.exit(f"{build.tests}: missing; build the unit tests first")
    mutants = all_mutants(build.sources())
    sets = sorted({tests for path in build.sources() for tests in filters_of(room_of(path))})
    random.Random(asked.seed).shuffle(mutants)
    print(f"{len(mutants)} possible mutants of {len(build.sources())} files", flush=True)
    start, results, waiting = time.monotonic(), [], iter(mutants)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        running = {}
        left_out = sorted(set().union(*pool.map(lambda tests: failing_tests(build.tests, tests), sets)))
        if left_out:
            print(f"left out, because they fail without a mutant: {' '.join(left_out)}", flush=True)

        def refill():
            caught_or_not = sum(result != "no mutant" for _, result in results)
            while len(running) < asked.jobs and caught_or_not + len(running) < asked.count:
                if time.monotonic() - start > asked.seconds:
                    return
                mutant = next(waiting)
                running[pool.submit(try_mutant, build, mutant, left_out)] = mutant

        refill()
        while running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for end in done:
                mutant = running.pop(end)
                results.append((mutant, end.result()))
                print(".", end="", file=sys.stderr, flush=True)
                if asked.output:
                    asked.output.write_text("".join(f"{result}\t{mutant.show()}\n" for mutant, result in results))
                if end.result() == "survived":
                    print(f"survived: {mutant.show()}", flush=True)
            refill()
    counts = {kind: sum(result == kind for _, result in results) for kind in ("caught", "survived", "no mutant")}
    tried = counts["caught"] + counts["survived"]
    print(f"{tried} mutants, {counts['caught']} caught ({100 * counts['caught'] / max(tried, 1):.1f} %), "
          f"{counts['no mutant']} did not compile, {time.monotonic() - start:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
