#pragma once
// The seam to a machine that does many whole fits at once: rows, configurations and seeds go there, scores of test rows
// come back. backend/cuda is one; the loop of boosting/train.cpp, many times on the CPU, does the same work.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/data/dataset.hpp"

namespace accrete::backend {

/// Rows that several fits share.
struct SharedRows {
  data::Dataset train;
  data::Features test;
};

/// One fit. Its seed is in the configuration, and it draws what the same fit on the CPU draws.
struct WholeFit {
  std::size_t rows = 0;  ///< which of the shared rows
  boosting::Config config;
  std::vector<double> start;          ///< scores before the first step, one per output
  std::vector<std::size_t> prefixes;  ///< numbers of steps to score after, ascending, none beyond the fit's
};

struct FitScores {
  double train_loss = 0.0;                     ///< weighted mean, in training units; not finite: the fit diverged
  std::vector<core::Matrix<double>> prefixes;  ///< test rows x outputs
};

struct FitsWatch {
  std::function<void(std::size_t fit, const FitScores&)> done = {};  ///< as they come; by the calling thread
  std::function<bool()> stop = {};                                   ///< asked now and then
};

class ManyFits {
 public:
  virtual ~ManyFits() = default;
  virtual std::string name() const = 0;      ///< one word: records of its fits carry it
  virtual std::string describe() const = 0;  ///< what it is, for people
  /// Nothing, or why such a fit cannot be done here.
  virtual std::string reason_against(const boosting::Config& config, std::size_t outputs) const = 0;
  /// Whether all were done. What does not fit into memory at once is done in turns. Throws core::Error of one line when
  /// the machine fails, or a single fit is too large for it.
  virtual bool fit(std::span<const SharedRows> rows, std::span<const WholeFit> fits, const FitsWatch& watch) = 0;
};

}  // namespace accrete::backend
