"""Checks that the files of a release agree with its tag, and writes checksums and notes. Uploads nothing.

    python3 scripts/release.py TAG FOLDER [--root ROOT]

TAG is vX.Y.Z. Writes FOLDER/SHA256SUMS for all files in FOLDER, and the section of the changelog to
build/release-notes.md. Prints one line per mistake and exits with 1 if there is any.
"""

import argparse
import hashlib
import pathlib
import re
import sys

# Where the version is written: file -> pattern with the version as its only group.
VERSIONS = {
    "CMakeLists.txt": r"project\(accrete VERSION ([0-9.]+)",
    "CITATION.cff": r"^version: ([0-9.]+)",
    "packaging/conda/meta.yaml": r'^{% set version = "([0-9.]+)" %}',
    "packaging/homebrew/accrete.rb": r"/v([0-9.]+)\.tar\.gz",
    "packaging/vcpkg/accrete/vcpkg.json": r'"version": "([0-9.]+)"',
}


def mistakes(root, version):
    """Yields one line for each file that has another version, and for a changelog without a dated section."""
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, (root / name).read_text(), re.MULTILINE)
        if found is None or found[1] != version:
            yield f"{name}: has version {found[1] if found else '(none)'}, the tag says {version}"
    if notes(root, version) is None:
        yield f"CHANGELOG.md: has no section '## [{version}] - YYYY-MM-DD'"


def notes(root, version):
    """The section of the changelog, without its heading; None if there is no dated one."""
    changes = (root / "CHANGELOG.md").read_text()
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    match = re.search(rf"{heading}(.*?)(?=^## \[|^\[[^\]]+\]: |\Z)", changes, re.MULTILINE | re.DOTALL)
    return match[1].strip() + "\n" if match else None


def checksums(folder):
    """The contents of SHA256SUMS, as `sha256sum --check` reads it."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tag")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    arguments = parser.parse_args()
    root, version = arguments.root, arguments.tag.removeprefix("v")
    found = list(mistakes(root, version))
    if not re.fullmatch(r"v\d+\.\d+\.\d+", arguments.tag):
        found.insert(0, f"{arguments.tag}: a tag is vX.Y.Z")
    sums = checksums(arguments.folder) if arguments.folder.is_dir() else ""
    if not sums:
        found.append(f"{arguments.folder}: has no files")
    if found:
        print(*(f"release: {line}" for line in found), sep="\n", file=sys.stderr)
        return 1
    (arguments.folder / "SHA256SUMS").write_text(sums)
    (root / "build").mkdir(exist_ok=True)
    (root / "build" / "release-notes.md").write_text(notes(root, version))
    print(f"release: {version}, {sums.count(chr(10))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
