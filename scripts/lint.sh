# shellcheck shell=sh
# Sourced by dev: format, lint.

# c_files ACTION...: run the action on all C, C++ and CUDA files, except generated ones.
c_files() {
  # shellcheck disable=SC2067  # the + ends the action
  find accrete cli report python tests bench examples experiments ! -name waves.h \
    \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' -o -name '*.cu' -o -name '*.cuh' \) -exec "$@" {} +
}

check_format() {
  c_files clang-format --dry-run -Werror --ferror-limit=1
}

do_format() {
  # shellcheck disable=SC2086
  need $format_packages
  case ${1:-} in
    "") c_files clang-format -i ;;
    --check) check_format ;;
    *) usage_error "format: unknown option $1" ;;
  esac
}

# check NAME COMMAND...: run all checks before failing, so that one run shows every problem.
check() {
  name=$1
  shift
  say "lint: $name"
  "$@" || failed="$failed $name"
}

do_lint() {
  case ${1:-} in
    "" | --fast) ;;
    *) usage_error "lint: unknown option $1" ;;
  esac
  # shellcheck disable=SC2086
  need $build_packages $lint_packages
  failed=""
  check clang-format check_format
  check layout python3 scripts/check_layout.py
  check words python3 scripts/check_words.py
  # -a reports on the scripts that dev sources.
  # shellcheck disable=SC2046
  check shellcheck shellcheck -x -a dev .ci/run scripts/bare_machine.sh \
    $(find bench examples experiments packaging tests -name '*.sh')
  environment build/lint-venv ruff mypy numpy check-jsonschema
  check ruff build/lint-venv/bin/ruff check --quiet
  check mypy build/lint-venv/bin/mypy --no-error-summary
  check workflows build/lint-venv/bin/check-jsonschema --quiet --builtin-schema vendor.github-workflows \
    .github/workflows/*.yml
  check issue-forms build/lint-venv/bin/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms \
    .github/ISSUE_TEMPLATE/[!c]*.yml
  check citation build/lint-venv/bin/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
  [ "${1:-}" = --fast ] || lint_cpp
  [ -z "$failed" ] || die "lint failed:$failed"
  say "lint passed"
}

lint_cpp() {
  configure files
  compile files accrete_onnx_header
  check clang-tidy python3 scripts/tidy.py build/files "$jobs"
  # Suppressed: views are passed by value; designated initialisers and what emplace_back returns are misread.
  check cppcheck cppcheck --quiet --std=c++20 --language=c++ --inline-suppr \
    --enable=warning,performance,portability --suppress=uninitMemberVar --suppress=duplInheritedMember \
    --suppress=passedByValue --suppress=selfAssignment --suppress=danglingTempReference \
    --suppress=danglingTemporaryLifetime --suppress=toomanyconfigs \
    --error-exitcode=1 -j "$jobs" -I . accrete cli report
}
