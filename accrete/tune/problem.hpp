#pragma once
// A table with its target, and the folds of its rows.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/data/split.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"

namespace accrete::tune {

/// Shared read-only by all threads.
struct Problem {
  const data::Table& table;
  data::Target target;
};

/// Without names, the last column is the target. Throws as data::Table::require and data::read_target do.
Problem read_problem(const data::Table& table, const std::vector<std::string>& targets, std::optional<data::Task> task);

/// A hash of names, kinds and values of all columns, the target and the task; independent of the hardware.
std::uint64_t fingerprint(const Problem& problem);

/// How to draw folds; they are functions of (seed, repeat).
struct Folds {
  std::size_t folds;
  std::uint64_t seed;
  std::uint64_t repeat = 0;
  bool every_class = false;  ///< every test set must contain every class, as some metrics require
};

/// Splits the given rows into folds, ascending, stratified by class. Throws as data::k_folds does, naming the largest
/// class or, with every_class, the first class that has fewer rows than there are folds.
std::vector<data::Split> draw_folds(const Problem& problem, std::span<const std::size_t> rows, const Folds& how);

/// A note if the smallest class has fewer rows than there are folds; otherwise nullopt.
std::optional<std::string> note_scarce_class(const Problem& problem, std::size_t folds);

}  // namespace accrete::tune
