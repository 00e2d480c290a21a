#pragma once
// What accrete deep boost says at its end, and what the joined network's file keeps of it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "cli/deep_frozen.hpp"
#include "cli/print.hpp"

namespace accrete::cli {

struct BoostReport {
  const FrozenFlags& flags;
  const Frozen& frozen;
  const boosting::FitResult& fit;
  std::string preset, output, head_output;
  double seconds;                                       ///< for the head
  std::vector<std::pair<std::string, double>> metrics;  ///< on the examples it was grown on
  std::optional<double> share() const;  ///< features and head, of the time that training the network took, where known
};

std::string boost_text(const BoostReport& report);
Json boost_json(const BoostReport& report);

}  // namespace accrete::cli
