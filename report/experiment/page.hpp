#pragma once
// The report of the paper's experiments.
//
//   store::Store::results() -> read_experiments() -> experiment_document(), table_csv(), scores_csv()
//
// The same results give the same bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "report/experiment/documents.hpp"
#include "report/experiment/results.hpp"
#include "report/pages/document.hpp"

namespace accrete::report {

/// All results of one profile; at least one member is not empty.
struct ProfileResults {
  ProfileTable table;
  std::vector<CurveResult> curves = {};
  std::vector<TimesResult> times = {};
  std::vector<TrainingTime> training_times = {};
  std::vector<BoundaryResult> boundaries = {};

  bool empty() const;
};

/// One per profile that has results, in the order of experiment::profiles(). Throws FileError.
std::vector<ProfileResults> read_experiments(const std::vector<store::Result>& results);

Document experiment_document(const std::vector<ProfileResults>& profiles);

/// One line per cell with the mean and the published mean. Accuracy is in percent.
std::string table_csv(const std::vector<ProfileResults>& profiles);
/// One line per test fold.
std::string scores_csv(const std::vector<ProfileResults>& profiles);

}  // namespace accrete::report
