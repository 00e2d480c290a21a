#pragma once
// The report of the paper's experiments, from what a store holds.
//
// Life: store::Store::results() -> read_experiments() -> experiment_document() for the page and its Markdown twin,
// table_csv() and scores_csv() for the numbers. The same results make the same bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/experiment_documents.hpp"
#include "report/experiment_results.hpp"

namespace accrete::report {

/// All results of one profile. Any of them may be empty, but not all.
struct ProfileResults {
  ProfileTable table;
  std::vector<CurveResult> curves = {};
  std::vector<TimesResult> times = {};
  std::vector<TrainingTime> training_times = {};
  std::vector<BoundaryResult> boundaries = {};

  bool empty() const;
};

/// One per profile that has results, in the order of experiment::profiles(). Throws FileError as its parts do.
std::vector<ProfileResults> read_experiments(const std::vector<store::Result>& results);

Document experiment_document(const std::vector<ProfileResults>& profiles);

/// One line per cell: means, as in the table, with the paper's beside. Accuracy is in per cent.
std::string table_csv(const std::vector<ProfileResults>& profiles);
/// One line per test part.
std::string scores_csv(const std::vector<ProfileResults>& profiles);

}  // namespace accrete::report
