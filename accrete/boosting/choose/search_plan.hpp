#pragma once
// What choosing tries, on how many rows and how far, by preset and number of training rows.

#include <cstddef>
#include <cstdint>
#include <span>

#include "accrete/boosting/choose.hpp"

namespace accrete::boosting {

struct CandidateSetting {
  double alpha;
  std::uint64_t bins;
  bool operator==(const CandidateSetting&) const = default;
};

/// In steps: where the worse half of the candidates drops out, where all but the best do, how far the best grows at a
/// time, and how far without improving.
struct Rungs {
  std::size_t first, second, stride, patience;
};

struct SearchPlan {
  std::span<const CandidateSetting> settings;
  std::span<const double> heavier_alphas = {};  ///< tried without bins if those settings learn little
  config::ResolvedConfig config;                ///< of every candidate, but alpha and bins
  std::size_t max_rows;                         ///< of more rows a random subset is used
  std::size_t max_folds;
  std::size_t max_growth;  ///< a network whose length is chosen has at most this many times config.units
  Rungs rungs;
  bool is_large;  ///< tables large enough for few wide steps
};

/// From this many training rows on, a step has many units and columns have many bins. Classes need more rows for it.
inline constexpr std::size_t min_large_regression = 4000, min_large_classes = 10'000;

/// The longest network whose loss is within this share of the smallest one is chosen: held-out rows cannot tell such a
/// difference, errors still fall, and shorter prefixes stay useful.
inline constexpr double loss_slack = 0.02;

SearchPlan search_plan(const ChoiceTask& task);

}  // namespace accrete::boosting
