// The grid of a search, as JSON.

#include "accrete/tune/grid.hpp"
#include "accrete/tune/boosted.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {

void fuzz_grid(Bytes bytes) {
  static const tune::Boosted method({}, data::Task::binary);
  tune::Grid grid;
  if (!refusal([&] { grid = tune::parse_grid(as_text(bytes), "grid.json", method); }).empty()) return;
  require(grid.size() <= tune::max_points, "a grid has at most max_points points");
  if (grid.size() > 1000) return;
  require(grid.points().size() == grid.size(), "size() is the number of points");
  for (const tune::Axis& axis : grid.axes) require(!axis.values.empty(), "an axis has values");
}

}  // namespace accrete::fuzz
