#pragma once
// The result of accrete deep boost as text and JSON.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "cli/deep/frozen.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {

struct BoostReport {
  const FrozenFlags& flags;
  const FrozenBackbone& frozen;
  const boosting::FitResult& fit;
  std::string preset, output, head_output;
  double seconds;                                       ///< time of the head's fit
  std::vector<std::pair<std::string, double>> metrics;  ///< on the training rows
  /// Time for features and head relative to the training time of the network, if recorded.
  std::optional<double> time_share() const;
};

std::string boost_text(const BoostReport& report);
Json boost_json(const BoostReport& report);

}  // namespace accrete::cli
