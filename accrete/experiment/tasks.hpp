#pragma once
// The tasks of the paper's table, with the figures that it prints.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "accrete/data/target.hpp"

namespace accrete::experiment {

/// Mean and standard deviation over the test parts: accuracy in per cent, or RMSE.
struct Printed {
  double mean, sd;
};

struct Task {
  std::string_view name;
  std::string_view title;  ///< as the paper has it
  data::Task kind;
  std::size_t rows;                ///< of the data it is known by; the file's may differ, and `remark` says so
  std::array<Printed, 6> printed;  ///< in the order of methods()
  std::string_view remark = {};    ///< where the data is not the paper's own
  std::string_view file = {};      ///< stem of the data file; empty: the name
  std::size_t training_rows = 0;   ///< drawn ten times, in place of folds; 0: folds

  std::string_view stem() const { return file.empty() ? name : file; }
};

/// In the order of the paper: binary, multi-class, regression.
std::span<const Task> tasks();

/// Throws UsageError listing the names.
const Task& task_named(std::string_view name);

/// Seconds of training that the paper prints, for the first five of methods(); null where it has none.
inline constexpr std::size_t timed_methods = 5;
const std::array<double, timed_methods>* printed_seconds(const Task& task);

/// FOLDER/STEM.csv or .csv.gz. Throws FileError when neither is there.
std::string find_data(const Task& task, const std::string& folder);

}  // namespace accrete::experiment
