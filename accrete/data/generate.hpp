#pragma once
// Built-in data: known distributions and exact enumerations, so that demo, tests and benchmarks need no files.

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
  bool exact;  ///< an enumeration: the number of rows is fixed and -n is refused
  Table (*make)(std::size_t rows, std::uint64_t seed);
};

/// The list: ringnorm2, ringnorm, twonorm, waveform, friedman1, tic-tac-toe, poker, spirals.
std::span<const Generator> generators();

/// Throws UsageError that lists the names.
const Generator& generator_named(std::string_view name);

/// Text classes "0", "1", ... after features x1, x2, ...
struct CloudShape {
  std::size_t rows, features, classes;
};

/// A normal cloud for each class about a centre of its own, so near that they overlap: a task of any size.
Table normal_clouds(const CloudShape& shape, std::uint64_t seed);

}  // namespace accrete::data
