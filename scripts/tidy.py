"""Runs clang-tidy on accrete/, cli/ and report/, and skips files that passed before and have not changed since.

    python3 scripts/tidy.py BUILD_DIR [JOBS]

BUILD_DIR has compile_commands.json. A file that passes leaves a stamp in BUILD_DIR/clang-tidy, named after the hash of
the file, the project's headers it includes, .clang-tidy, the compile command and the version of clang-tidy.
"""

import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
GCC_ONLY = {"-fno-thread-jumps"}
PRECOMPILED = re.compile(r" -include \S+/cmake_pch\.hxx")
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def closure(path):
    """The file and the project's headers it includes, directly or not."""
    found, todo = set(), [path]
    while todo:
        file = todo.pop()
        if file not in found:
            found.add(file)
            names = [name.decode() for name in INCLUDE.findall(file.read_bytes())]
            todo += [ROOT / name for name in names if (ROOT / name).is_file()]
    return sorted(found)


def stamp_of(path, command, common):
    digest = hashlib.sha256(common + command.encode())
    for file in closure(path):
        digest.update(file.read_bytes())
    return f"{path.stem}-{digest.hexdigest()[:32]}"


def write_database(source, target):
    """Copies the compile commands without options and precompiled headers that only GCC reads. Returns them by file."""
    entries = json.loads(source.read_text())
    for entry in entries:
        command = PRECOMPILED.sub("", entry["command"])
        entry["command"] = " ".join(word for word in command.split(" ") if word not in GCC_ONLY)
    target.write_text(json.dumps(entries))
    return {entry["file"]: entry["command"] for entry in entries}


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    stamps = build / "clang-tidy"
    stamps.mkdir(exist_ok=True)
    commands = write_database(build / "compile_commands.json", stamps / "compile_commands.json")
    sources = [path for top in ("accrete", "cli", "report") for path in sorted((ROOT / top).rglob("*.cpp"))]
    # Without the headers of libtorch, CUDA and MPI the files of these folders cannot be parsed.
    optional = {"deep", "cuda", "mpi"}
    sources = [path for path in sources if str(path) in commands or optional.isdisjoint(path.parts)]
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()
    pending = {path: stamps / stamp_of(path, commands.get(str(path), ""), common) for path in sources}
    pending = {path: stamp for path, stamp in pending.items() if not stamp.exists()}

    def run(path):
        result = subprocess.run(["clang-tidy", "--quiet", "-p", str(stamps), str(path)], text=True, capture_output=True)
        return path, result

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for path, result in pool.map(run, pending):
            if result.returncode == 0:
                pending[path].touch()
            else:
                failures += 1
                print(result.stdout or result.stderr, flush=True)
    print(f"clang-tidy: {len(sources)} files, {len(pending)} checked, {failures} with warnings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
