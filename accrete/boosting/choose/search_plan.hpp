#pragma once
// What the automatic choice tries, on how many rows and for how long, by preset and number of training rows.

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

/// In steps: the end of the first rung (the worse half is dropped) and of the second (all but the best are dropped),
/// the stride in which the best candidate then grows, and its patience.
struct Rungs {
  std::size_t first, second, stride, patience;
};

struct SearchPlan {
  std::span<const CandidateSetting> settings;
  std::span<const double> heavier_alphas = {};  ///< tried without bins if those settings learn little
  config::ResolvedConfig config;                ///< of every candidate, before alpha, bins and refinements
  std::size_t max_rows;                         ///< larger tables are sampled at random
  std::size_t max_folds;
  std::size_t max_growth;  ///< a network whose length is chosen has at most this many times config.units
  Rungs rungs;
  bool is_large;                    ///< large tables take few steps of many units
  std::size_t max_refinements = 0;  ///< settings tried next to the best candidate (choose/refinement.hpp)
  double comparing_rate = 0.0;      ///< on a sample, candidates grow with at least this learning rate
};

/// Tables of at least this many training rows use steps of many units and columns of many bins.
inline constexpr std::size_t min_large_regression = 4000, min_large_classes = 10'000;

/// The longest network whose loss is within this share of the smallest one is chosen: held-out rows cannot resolve such
/// a difference, the error rate often still falls, and shorter prefixes remain available.
inline constexpr double loss_slack = 0.02;
/// At most this share of the gain over the constant is given up for a longer network.
inline constexpr double max_given_up = 0.1;

SearchPlan search_plan(const ChoiceTask& task);

}  // namespace accrete::boosting
