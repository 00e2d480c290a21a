# shellcheck shell=sh
# Sourced by dev: reliability.
# shellcheck disable=SC2154  # common.sh sets the package lists

# do_reliability [CAMPAIGN [ARGUMENT...]]: the campaigns of tests/reliability, with their last results in
# docs/reliability.md.
do_reliability() {
  case ${1:-} in
    "") say "campaigns: crash failing-disk memory mutation ranks serve shared-store" ;;
    crash | failing-disk | shared-store)
      build_command
      python3 tests/reliability/crash.py "$@"
      ;;
    memory)
      shift
      # shellcheck disable=SC2086
      need $build_packages $python_packages
      environment build/test-venv -r tests/python/requirements.txt
      configure_python build/test-venv
      compile release
      install_python build/test-venv
      (cd build && test-venv/bin/python ../tests/reliability/memory.py "$@")
      ;;
    ranks)
      shift
      need libopenmpi-dev openmpi-bin
      build_command -DACCRETE_MPI=ON
      python3 tests/reliability/ranks.py "$@"
      ;;
    serve)
      shift
      # shellcheck disable=SC2086
      need $bench_packages
      build_command
      python3 tests/reliability/serve.py "$@"
      ;;
    mutation)
      shift
      # shellcheck disable=SC2086
      need $build_packages $test_packages
      configure files
      compile files accrete_tests accrete_cli
      python3 tests/reliability/mutation.py "$@"
      ;;
    *) usage_error "reliability: unknown campaign $1; there are crash, failing-disk, memory, mutation, ranks, serve, shared-store" ;;
  esac
}
