# shellcheck shell=sh
# Sourced by dev: test, test-page, test-serve.

# run_tests PRESET CTEST_ARGUMENT...
run_tests() {
  preset=$1
  shift
  ctest --test-dir "build/$preset" --parallel "$jobs" --output-on-failure --no-tests=error "$@"
}

# run_pytest VENV ARGUMENT...: in build/, so that python/accrete of the checkout is not imported. Byte code and the
# cache of mypy are kept there: tests start many processes, which would compile the same modules again.
run_pytest() {
  venv=$1
  shift
  (cd build && env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX="$root/build/byte-code" \
    MYPY_CACHE_DIR="$root/build/mypy-of-tests" "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@")
}

do_test() {
  case ${1:-} in
    "" | --all) ;;
    --quick)
      test_quick
      return 0
      ;;
    --asan | --tsan)
      # shellcheck disable=SC2086
      need $build_packages $test_packages
      test_sanitized "${1#--}"
      return 0
      ;;
    --subproject)
      # shellcheck disable=SC2086
      need $build_packages
      configure release
      test_subproject
      return 0
      ;;
    --deep)
      # shellcheck disable=SC2086
      need $deep_packages
      ;;
    *) usage_error "test: unknown option $1" ;;
  esac
  # shellcheck disable=SC2086
  need $build_packages $test_packages $python_packages
  # Starting a process takes longer than most unit tests, so a process runs a few of them.
  configure_python build/test-venv -DACCRETE_TEST_SHARDS=64
  # The packages of the tests are downloaded while the compiler works.
  environment build/test-venv -r tests/python/requirements.txt &
  packages=$!
  compile release
  wait "$packages"
  say "release: unit and packaging tests"
  run_tests release -LE subproject
  say "Python package"
  install_python build/test-venv
  # One worker per core, so each fits with one thread.
  ACCRETE_C_LIBRARY="$root/build/release/libaccrete.so" OMP_NUM_THREADS=1 \
    run_pytest test-venv -n "$jobs" --dist worksteal ../tests/python
  case ${1:-} in --all | --deep) test_more ;; esac
  say "all tests passed"
}

test_quick() {
  # shellcheck disable=SC2086
  need $build_packages $test_packages
  configure release
  compile release
  run_tests release -L unit
  say "the unit tests passed"
}

# The tests that are slow or need more than a compiler.
test_more() {
  test_subproject
  do_test_serve
  test_benchmarks
  test_companions
  test_torch
  test_cuda
  test_deep
  test_sanitized asan
}

# Compiles the whole library as part of another project.
test_subproject() {
  say "release: the library as a subproject"
  run_tests release -L subproject
}

# No other build has the benchmarks, so each C++ program runs once with little work. delay_link and load_generator need
# processes that ranks.py and serve.py start; they are only compiled.
test_benchmarks() {
  say "release: C++ benchmarks with little work"
  before=$(sed -n 's/^ACCRETE_BUILD_BENCH:BOOL=//p' build/release/CMakeCache.txt)
  configure release -DACCRETE_BUILD_BENCH=ON
  compile release accrete_bench
  model=build/bench-model.safetensors
  rows=build/bench-rows.csv
  build/release/accrete data make friedman1 --rows 200 --quiet -o "$rows"
  build/release/accrete train "$rows" --target target --preset fast --units 8 --quiet -o "$model"
  for source in bench/*.cpp; do
    name=$(basename "$source" .cpp)
    case $name in
      bins | kernels) set -- --quick ;;
      explain) set -- 100 ;;
      scaling_fit) set -- 500 4 8 --max-iter 2 ;;
      predict_timer) set -- "$model" "$rows" ;;
      delay_link | load_generator) continue ;;
      *) die "test_benchmarks: give the arguments of bench/$name.cpp" ;;
    esac
    "build/release/bench_$name" "$@" >build/bench-output || die "bench/$name.cpp failed"
  done
  configure release -DACCRETE_BUILD_BENCH="$before"
}

# test_sanitized PRESET: the library's unit tests with address and undefined-behaviour sanitizers (asan) or the thread
# sanitizer (tsan).
test_sanitized() {
  say "$1: the library's unit tests with sanitizers"
  configure "$1" -DACCRETE_BUILD_CLI=OFF -DACCRETE_TEST_SHARDS=12
  compile "$1"
  GTEST_FILTER='-Slow*:*/Slow*' TSAN_OPTIONS="suppressions=$root/tests/thread_sanitizer_suppressions.txt" \
    run_tests "$1" -L unit
}

# CUDA code compiles without a GPU; its tests are skipped then.
test_cuda() {
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
    say "cuda: skipped, nvcc not found"
    return 0
  fi
  say "cuda: unit tests"
  PATH="$PATH:/usr/local/cuda/bin" configure release -DACCRETE_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90-real
  compile release accrete_cuda_tests
  run_tests release -L cuda
  configure release -DACCRETE_CUDA=OFF
}

# Uses the release folder, whose other objects do not depend on the option, and restores the option afterwards.
test_deep() {
  if [ ! -f /usr/include/torch/script.h ] || ! command -v libpng-config >/dev/null; then
    say "deep: skipped, libtorch-dev or libpng-dev not found; './dev test --deep' installs them"
    return 0
  fi
  say "deep: unit tests with the system's libtorch"
  before=$(sed -n 's/^ACCRETE_DEEP:BOOL=//p' build/release/CMakeCache.txt)
  configure release -DACCRETE_DEEP=ON
  compile release accrete_deep_tests
  run_tests release -L deep
  configure release -DACCRETE_DEEP="$before"
  compile release accrete_cli
}

# Packages with many dependencies of their own, which may ask for older versions of NumPy.
test_companions() {
  say "companions: dask, MLflow, mpi4py and shap"
  environment build/companions-venv distributed matplotlib 'mlflow-skinny>=3' mpi4py pandas pytest scikit-learn shap
  install_python build/companions-venv
  run_pytest companions-venv ../tests/python/test_dask.py ../tests/python/test_ranks.py ../tests/python/test_mlflow.py \
    ../tests/python/test_explain.py
}

# Debian's PyTorch is small and needs no GPU. It requires the NumPy major version it was built for.
test_torch() {
  system=/usr/bin/python3
  tag='import sys; print(sys.implementation.cache_tag)'
  if ! apt-cache show python3-torch >/dev/null 2>&1 || [ ! -x $system ] ||
    [ "$($system -c "$tag")" != "$(build/test-venv/bin/python -c "$tag")" ]; then
    say "torch: skipped, no python3-torch package for this Python"
    return 0
  fi
  need python3-torch
  say "torch: accrete.torch and to_torch with Debian's PyTorch"
  if [ ! -x build/torch-venv/bin/python ]; then
    $system -m venv --system-site-packages build/torch-venv
  fi
  environment build/torch-venv 'numpy<2' scikit-learn pytest onnx onnxruntime
  install_python build/torch-venv
  run_pytest torch-venv ../tests/python/test_torch.py ../tests/python/test_boosted_head.py \
    ../tests/python/test_boosted_head_exports.py ../tests/python/test_boosted_head_modules.py \
    ../tests/python/test_boosted_head_settings.py ../tests/python/test_feature_file.py
}

do_test_page() {
  build_command
  # shellcheck disable=SC2086
  need $page_packages
  environment build/browser-venv -r tests/browser/requirements.txt
  ACCRETE_COMMAND="$root/build/release/accrete" run_pytest browser-venv ../tests/browser
}

do_test_serve() {
  build_command
  # shellcheck disable=SC2086
  need $bench_packages
  environment build/serve-venv -r tests/serve/requirements.txt
  ACCRETE_COMMAND="$root/build/release/accrete" run_pytest serve-venv ../tests/serve
}
