"""scikit-build-core, preceded by a search for accrete's C++ dependencies.

The dependencies are Debian and Ubuntu packages that PyPI does not have. Missing ones are downloaded with apt-get and
unpacked below build/, which needs no root and does not change the system. On other systems the error lists them.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from scikit_build_core import build as _build
from scikit_build_core.build import get_requires_for_build_sdist, prepare_metadata_for_build_wheel  # noqa: F401
from scikit_build_core.build import get_requires_for_build_editable, get_requires_for_build_wheel  # noqa: F401
from scikit_build_core.build import build_sdist, prepare_metadata_for_build_editable  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parents[2] / "build" / "python-packages"

# Debian package -> a header or program that it provides.
HEADERS = {
    "libhwy-dev": "hwy/highway.h",
    "libfmt-dev": "fmt/format.h",
    "nlohmann-json3-dev": "nlohmann/json.hpp",
    "libcli11-dev": "CLI/CLI.hpp",
    "zlib1g-dev": "zlib.h",
    "libprotobuf-dev": "google/protobuf/message_lite.h",
    "libonnx-dev": "onnx/onnx_pb.h",
}
PROGRAMS = {"protobuf-compiler": "protoc"}


def _has_header(header):
    compiler = os.environ.get("CXX", "c++")
    source = f"#if !__has_include(<{header}>)\n#error missing\n#endif\n"
    command = [compiler, "-x", "c++", "-fsyntax-only", "-"]
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0


def _missing():
    if shutil.which(os.environ.get("CXX", "c++")) is None:
        raise SystemExit("accrete: no C++ compiler found (on Debian and Ubuntu: apt install g++)")
    packages = [package for package, header in HEADERS.items() if not _has_header(header)]
    packages += [package for package, program in PROGRAMS.items() if shutil.which(program) is None]
    if not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").is_file():
        packages.append(f"libpython{sys.version_info.major}.{sys.version_info.minor}-dev")
    return packages


def _apt(*words, private=False):
    options = []
    if private:
        lists, cache = ROOT / "lists", ROOT / "cache"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        (cache / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        options = ["-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={cache}", "-o", "Debug::NoLocking=1"]
        options += ["-o", "APT::Sandbox::User="]
    command = ["apt-get", "-q", *options, *words]
    return subprocess.run(command, text=True, capture_output=True, cwd=ROOT)


def _fetch(packages):
    """Downloads the packages and their dependencies and unpacks them below ROOT/root."""
    ROOT.mkdir(parents=True, exist_ok=True)
    plan = ("install", "--simulate", "--no-install-recommends", *packages)
    private = False
    simulated = _apt(*plan)
    if simulated.returncode != 0:
        # The system's package lists are missing or outdated: use private ones.
        private = True
        _apt("update", private=True)
        simulated = _apt(*plan, private=True)
    names = [line.split()[1] for line in simulated.stdout.splitlines() if line.startswith("Inst ")]
    downloaded = names and _apt("download", *names, private=private)
    if not downloaded or downloaded.returncode != 0:
        raise SystemExit(f"accrete: could not download these required packages: {' '.join(packages)}")
    for archive in sorted(ROOT.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", archive, ROOT / "root"], check=True)
        archive.unlink()


def _prefix(variable, *paths):
    old = [os.environ[variable]] if os.environ.get(variable) else []
    os.environ[variable] = os.pathsep.join([*map(str, paths), *old])


def _use(root):
    """Adds the unpacked packages to the search paths of CMake, the compiler and the loader."""
    usr = root / "usr"
    libraries = [path for path in (usr / "lib").glob("*-linux-gnu*") if path.is_dir()]
    _prefix("CMAKE_PREFIX_PATH", usr)
    _prefix("CPLUS_INCLUDE_PATH", usr / "include")
    _prefix("LIBRARY_PATH", *libraries)
    _prefix("LD_LIBRARY_PATH", *libraries)
    _prefix("PATH", usr / "bin")
    python = usr / "include" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    if python.is_dir():
        os.environ["CMAKE_ARGS"] = f"{os.environ.get('CMAKE_ARGS', '')} -DPython_INCLUDE_DIR={python}".strip()


def _prepare():
    if os.environ.get("ACCRETE_SKIP_SETUP") == "1":
        return
    root = ROOT / "root"
    if root.is_dir():
        _use(root)
    packages = _missing()
    if not packages:
        return
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise SystemExit(
            "accrete: C++ libraries are missing; install the equivalents of these Debian packages: "
            f"{' '.join(packages)}"
        )
    print(f"accrete: downloading {' '.join(packages)} into {ROOT}", flush=True)
    _fetch(packages)
    _use(root)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return _build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return _build.build_editable(wheel_directory, config_settings, metadata_directory)
