#pragma once
// Built-in data sets for the demo, tests and benchmarks: samples of known distributions and exact enumerations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "accrete/data/table.hpp"

namespace accrete::data {

struct Generator {
  const char* name;
  const char* summary;  ///< one line: what it is, features, task
  std::size_t default_rows;
  bool exact;  ///< an enumeration with a fixed number of rows
  Table (*make)(std::size_t rows, std::uint64_t seed);
};

/// ringnorm2, ringnorm, twonorm, waveform, friedman1, tic-tac-toe, poker, spirals, houses, claims.
std::span<const Generator> generators();

/// Throws UsageError that lists the names.
const Generator& generator_named(std::string_view name);

/// Features x1, x2, ... and text classes "0", "1", ...
struct CloudShape {
  std::size_t rows, features, classes;
};

/// One normal distribution per class with overlapping centres: a classification task of any size.
Table normal_clouds(const CloudShape& shape, std::uint64_t seed);

}  // namespace accrete::data
