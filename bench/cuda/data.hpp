#pragma once
// The data of a benchmark: a file, or so many rows of a generator.

#include <string>

#include "accrete/core/parallel.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::bench {

/// FILE.csv, or NAME:ROWS of one of the generators of accrete data make.
inline data::Table read_data(const std::string& words, core::Workers& workers) {
  const auto at = words.rfind(':');
  if (at == std::string::npos) return io::read_csv(words, {}, workers);
  return data::generator_named(words.substr(0, at)).make(std::stoull(words.substr(at + 1)), 1);
}

}  // namespace accrete::bench
