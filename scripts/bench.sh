# shellcheck shell=sh
# Sourced by dev: bench. A benchmark is bench/NAME.py, which may run programs built from bench/*.cpp, or a C++ program
# bench/NAME.cpp or bench/cuda/NAME.cpp.

do_bench() {
  name=${1:-}
  if [ -z "$name" ]; then
    list_benchmarks
    return 0
  fi
  shift
  case $name in
    common | */*) usage_error "bench: no benchmark '$name'; './dev bench' lists them" ;;
  esac
  # shellcheck disable=SC2086
  if [ -f "bench/$name.py" ]; then
    need $build_packages $bench_packages
    configure release -DACCRETE_BUILD_BENCH=ON
    compile release accrete accrete_cli accrete_bench
    run_script "$name" "$@"
  elif [ -f "bench/$name.cpp" ]; then
    need $build_packages
    configure release -DACCRETE_BUILD_BENCH=ON
    run_program "$name" "$@"
  elif [ -f "bench/cuda/$name.cpp" ]; then
    need $build_packages
    configure release -DACCRETE_BUILD_BENCH=ON -DACCRETE_CUDA=ON
    run_program "$name" "$@"
  else
    usage_error "bench: no benchmark '$name'; './dev bench' lists them"
  fi
}

# run_program NAME [ARG...]
run_program() {
  name=$1
  shift
  compile release "bench_$name"
  "build/release/bench_$name" "$@"
}

# run_script NAME [ARG...]: a script with bench/requirements/NAME.txt has an environment of its own, so that the old
# versions one benchmark needs do not affect another. A script with the line 'import accrete' also gets the package.
run_script() {
  name=$1
  shift
  python=python3
  venv="build/bench-venv-$name"
  if [ -f "bench/requirements/$name.txt" ]; then
    environment "$venv" -r "bench/requirements/$name.txt"
    if [ -f "bench/requirements/$name-no-deps.txt" ]; then
      environment "$venv" --no-deps -r "bench/requirements/$name-no-deps.txt"
    fi
    python="$venv/bin/python"
  fi
  if grep -qx 'import accrete' "bench/$name.py"; then
    # shellcheck disable=SC2086
    need $python_packages
    configure_python "build/bench-venv-$name"
    compile release accrete_python_stub
    install_python "build/bench-venv-$name"
  fi
  "$python" -W ignore "bench/$name.py" "$@"
}

# Prints each benchmark with the first line of its description.
list_benchmarks() {
  for file in bench/*.py bench/*.cpp bench/cuda/*.cpp; do
    case $file in
      bench/common.py) continue ;;
      *.py) about=$(sed -n 's/^"""//p' "$file" | sed -n 1p) ;;
      *) about=$(sed -n '1s/^\/\/ *//p' "$file") ;;
    esac
    printf '  %-16s %s\n' "$(basename "${file%.*}")" "$about"
  done
}
