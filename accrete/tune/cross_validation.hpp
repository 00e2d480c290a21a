#pragma once
// Repeated k-fold cross-validation: how well a fit predicts unseen rows, with its standard error.
//
// Each fold fits the encoder and the network on its training rows alone, then encodes, predicts and scores its test
// rows. Fits run one per thread; the results do not depend on the number of threads and ranks.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/core/message.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct CrossValidation {
  std::size_t folds = 10;
  std::size_t repeats = 1;
  bool curve = false;                                       ///< also record the primary metric after each step
  std::function<void(std::size_t, std::size_t)> done = {};  ///< finished fits, planned fits; one thread at a time
  std::function<bool()> stop = {};                          ///< polled after each step, on several threads
  backend::FitDevice* device = nullptr;  ///< runs all fits at once, or sequentially if they may stop early
  comm::Communicator* comm = nullptr;    ///< ranks that share the fits; not with a device
};

struct FoldScore {
  std::size_t repeat = 0, fold = 0;
  std::size_t train_rows = 0, test_rows = 0;
  std::vector<std::pair<std::string, double>> metrics = {};  ///< on the test rows, in the order of metric::All
  double train_loss = 0.0;                                   ///< of the final network, in the target's units
  std::size_t units = 0;
  double seconds = 0.0;
  bool out_of_time = false;                                ///< the time limit ended the fit early
  std::vector<std::pair<std::size_t, double>> curve = {};  ///< units and primary metric after 1, 2, ... steps
};

struct CrossValidationResult {
  data::Task task = data::Task::regression;
  core::Message task_reason = {};      ///< empty if the task was given
  std::string metric = {};             ///< the primary metric
  config::ResolvedConfig config = {};  ///< the resolved parameters
  std::vector<FoldScore> folds = {};   ///< ordered by repeat; only the finished ones if stopped
  bool stopped = false;
  std::vector<core::Message> notes = {};  ///< for the user, one line each

  Summary score() const { return of_metric(metric); }
  /// Over the folds for which the metric is defined: a fold whose test rows have a single class has no AUC.
  Summary of_metric(const std::string& name) const;
  Summary train_loss() const;
  /// Mean over the folds, up to the shortest network.
  std::vector<std::pair<std::size_t, double>> curve() const;
};

/// Metrics count every test row once, regardless of its training weight. Folds are drawn from (seed, repeat),
/// stratified if there are classes. Every fit of repeat r has the seed config.seed + r. options.rows, validation,
/// resume and workers must be empty. Throws as boosting::fit and draw_folds do, and UsageError if the device does not
/// support the fit. On a device, the seconds of a fold are its share of the elapsed time.
CrossValidationResult cross_validate(const data::Table& table, const boosting::FitOptions& options,
                                     const CrossValidation& how, core::Workers& workers);

// Shared with the overload for any method (tune/cross_validate_method.hpp).

/// The folds of all repeats. Throws UsageError if there are no repeats, and as draw_folds does.
std::vector<data::Split> draw_all_folds(const Problem& problem, const CrossValidation& how, std::uint64_t seed);

/// Moves the scores into the result; a missing score means that the validation was stopped.
void take_scores(std::vector<std::optional<FoldScore>> scores, CrossValidationResult& result);

}  // namespace accrete::tune
