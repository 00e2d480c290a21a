# shellcheck shell=sh
# Sourced by dev, in the repository root: messages, packages, CMake and virtual environments.
# shellcheck disable=SC2034,SC2154  # the package lists are used by other scripts; dev sets root

# Debian packages by purpose.
build_packages="g++ cmake ninja-build pkg-config libhwy-dev libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev
  protobuf-compiler libprotobuf-dev libonnx-dev libsqlite3-dev libcpp-httplib-dev libsimdjson-dev libjs-d3 gnuplot-nox"
test_packages="libgtest-dev libpng-dev python3"
deep_packages="libtorch-dev libpng-dev libopenblas0"
python_packages="python3 python3-venv python3-dev"
bench_packages="python3 python3-venv wrk"
format_packages="clang-format"
lint_packages="clang-format clang-tidy cppcheck shellcheck python3 python3-venv"
fuzz_packages="clang libclang-rt-dev libpng-dev"
site_packages="chromium doxygen"
page_packages="python3 python3-venv chromium"

jobs=${ACCRETE_JOBS:-$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}

say() { printf '%s\n' "dev: $*"; }
die() {
  printf '%s\n' "dev: $*" >&2
  exit 1
}
usage_error() {
  printf '%s\n' "dev: $*" >&2
  usage >&2
  exit 2
}

# need PACKAGE...: install those that are missing.
need() {
  [ "${ACCRETE_SKIP_SETUP:-0}" = 1 ] && return 0
  installed=""
  if command -v dpkg-query >/dev/null; then
    # shellcheck disable=SC2016  # dpkg-query expands the format, not the shell
    installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "$@" 2>/dev/null || true)"
  fi
  missing=""
  for package in "$@"; do
    case $installed in
      *" $package=installed "*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  # shellcheck disable=SC2086  # a list of words
  [ -z "$missing" ] || install_packages $missing
}

install_packages() {
  command -v apt-get >/dev/null ||
    die "apt-get not found: install the equivalents of these Debian packages and set ACCRETE_SKIP_SETUP=1: $*"
  if [ "$(id -u)" = 0 ]; then
    sudo=""
  elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    sudo="sudo"
  else
    die "neither root nor sudo: ask for these packages to be installed, then try again: $*"
  fi
  say "installing $*"
  # An update can fail because of an unrelated repository; only a failed installation is an error.
  $sudo apt-get -qq update || say "apt-get update failed; continuing"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 install "$@" >/dev/null || die "apt-get could not install: $*"
}

# configure PRESET [CMAKE ARGUMENT...]
configure() {
  preset=$1
  shift
  cache="build/$preset/CMakeCache.txt"
  # The cache of a copied or moved checkout refers to its old location.
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "build/$preset"
  fi
  cmake --preset "$preset" --log-level=WARNING "$@" >/dev/null
}

# compile PRESET [TARGET...]
compile() {
  preset=$1
  shift
  if [ $# -gt 0 ]; then
    cmake --build "build/$preset" --parallel "$jobs" --target "$@"
  else
    cmake --build "build/$preset" --parallel "$jobs"
  fi
}

build_command() {
  # shellcheck disable=SC2086
  need $build_packages
  configure release "$@"
  compile release accrete accrete_cli accrete_c
}

# environment FOLDER PIP_ARGUMENT...: create the virtual environment if missing and install the packages.
environment() {
  venv=$1
  shift
  if [ ! -x "$venv/bin/python" ]; then
    say "creating the Python environment $venv"
    python3 -m venv "$venv"
  fi
  # Most modules are never imported, so byte code is left to the first import.
  "$venv/bin/pip" -q --disable-pip-version-check install --no-compile "$@"
}

# configure_python VENV [CMAKE ARGUMENT...]: the release build with the Python package, for the Python of VENV.
configure_python() {
  environment "$1" nanobind
  python="$root/$1/bin/python"
  shift
  configure release -DACCRETE_BUILD_PYTHON=ON -DPython_EXECUTABLE="$python" \
    -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" "$@"
}

# install_python VENV: copy the package from the release build, so that it is not compiled a second time.
install_python() {
  site=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  rm -rf "$site/accrete"
  cp -R python/accrete "$site/accrete"
  cmake --install build/release --component python --prefix "$site" >/dev/null
}
