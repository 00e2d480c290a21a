#pragma once
// The tasks of the paper's table, with the published figures.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "accrete/data/target.hpp"

namespace accrete::experiment {

/// Published mean and standard deviation over the test parts: accuracy in per cent, or RMSE.
struct PublishedScore {
  double mean, sd;
};

struct PaperTask {
  std::string_view name;
  std::string_view title;  ///< as in the paper
  data::Task kind;
  std::size_t rows;                       ///< of the published data; `remark` says if the file differs
  std::array<PublishedScore, 6> printed;  ///< in the order of methods()
  std::string_view remark = {};           ///< how the data differs from the paper's
  std::string_view file = {};             ///< stem of the data file; empty: the name
  std::size_t training_rows = 0;          ///< drawn ten times instead of folds; 0: use folds

  std::string_view stem() const { return file.empty() ? name : file; }
};

/// In the order of the paper: binary, multi-class, regression.
std::span<const PaperTask> tasks();

/// Throws UsageError that lists the names.
const PaperTask& task_named(std::string_view name);

/// Published training seconds of the first five of methods(); null if there are none.
inline constexpr std::size_t timed_methods = 5;
const std::array<double, timed_methods>* published_seconds(const PaperTask& task);

/// FOLDER/STEM.csv or .csv.gz. Throws FileError if neither exists.
std::string find_data(const PaperTask& task, const std::string& folder);

}  // namespace accrete::experiment
