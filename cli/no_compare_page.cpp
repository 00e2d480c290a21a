// The page of a comparison in a build without D3: says so.

#include "accrete/core/error.hpp"
#include "cli/compare_page.hpp"

namespace accrete::cli {

void require_pages() {
  throw core::Error("this build of accrete writes no pages (it was made without D3, Debian's libjs-d3)");
}

void write_compare_page(const tune::CompareResult&, const ComparePageTask&, const Common&) {
  require_pages();
}

}  // namespace accrete::cli
