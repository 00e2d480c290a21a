#pragma once
// The seam to a machine that does whole fits: many at once, of which scores of test rows come back, or a single one,
// whose steps come back as blocks of a network. backend/cuda is one; the loop of boosting/train.cpp on the CPU does the
// same work.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/network/block.hpp"

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
  std::function<void(double)> launched = {};  ///< seconds that the machine was at it, by its own clock, each time
};

/// A step that was taken on the machine.
struct GrownStep {
  network::Block block;     ///< step size and learning rate applied
  double train_loss = 0.0;  ///< after it: weighted mean, in training units
};

/// What a single fit has cost so far.
struct Effort {
  std::size_t evaluations = 0;
  double seconds = 0.0;  ///< by the machine's own clock
};

/// A single fit, its rows and scores resident on the machine while it grows.
class GrowingFit {
 public:
  virtual ~GrowingFit() = default;
  virtual double train_loss() const = 0;  ///< of the scores as they stand
  /// As if so many steps (one at least) were taken already and had left these scores, rows x outputs.
  virtual void go_on_from(std::size_t steps, core::MatrixView<const double> scores) = 0;
  /// So many steps more. Throws core::Error of one line when the machine fails.
  virtual std::vector<GrownStep> grow(std::size_t steps) = 0;
  virtual Effort effort() const { return {}; }  ///< nothing where the machine does not count
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
  /// One fit on the whole machine, from these scores before the first step. The rows are not needed after the call.
  virtual std::unique_ptr<GrowingFit> begin(const data::Dataset& rows, const boosting::Config& config,
                                            std::span<const double> start) = 0;
};

}  // namespace accrete::backend
