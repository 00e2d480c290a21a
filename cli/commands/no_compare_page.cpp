// accrete compare --output in a build without D3: reports that pages are missing.

#include "accrete/core/error.hpp"
#include "cli/commands/compare_page.hpp"

namespace accrete::cli {

void require_pages() {
  throw core::Error(
      "this build of accrete writes no pages (built without reports, which need D3, Debian package libjs-d3)");
}

void write_compare_page(const tune::CompareResult&, const ComparePageTask&, const Common&) {
  require_pages();
}

}  // namespace accrete::cli
