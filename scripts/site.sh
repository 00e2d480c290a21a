# shellcheck shell=sh
# Sourced by dev: site.

# The environment of the tests has what the tutorial needs, and the extension module is compiled for one environment.
do_site() {
  # shellcheck disable=SC2086
  need $build_packages $python_packages $site_packages
  environment build/test-venv -r tests/python/requirements.txt -r site/requirements.txt
  configure_python build/test-venv
  compile release accrete_cli accrete_python_stub
  install_python build/test-venv
  say "writing references, tutorial and gallery"
  build/test-venv/bin/python site/make.py "$root/build/release/accrete" chromium build/site-source
  say "building the site"
  NO_MKDOCS_2_WARNING=1 build/test-venv/bin/mkdocs --quiet build --config-file site/mkdocs.yml
  python3 site/check_links.py build/site
  say "wrote $root/build/site/index.html"
}
