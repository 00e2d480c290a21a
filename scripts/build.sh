# shellcheck shell=sh
# Sourced by dev: build, demo, docs.

do_build() {
  case ${1:-} in
    "") build_command ;;
    --deep)
      # shellcheck disable=SC2086
      need $deep_packages
      # CMake's cache keeps the option for later builds.
      build_command -DACCRETE_DEEP=ON
      ;;
    *) usage_error "build: unknown option $1" ;;
  esac
  say "built $root/build/release/accrete"
}

do_demo() {
  build_command
  build/release/accrete demo --output-dir build/demo
  say "wrote $root/build/demo/demo.html: open it in a browser"
  say "next: $root/build/release/accrete --help, and the section Command line of README.md"
}

do_docs() {
  build_command
  build/release/accrete docs parameters >build/parameters.md
  mv build/parameters.md docs/parameters.md
  say "wrote $root/docs/parameters.md"
}
