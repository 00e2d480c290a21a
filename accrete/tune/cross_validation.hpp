#pragma once
// Repeated k-fold cross-validation of a fit: how well it predicts rows it has not seen, and how sure that is.
//
// Life of a fold: encoder and network are fitted on its training rows alone -> its test rows are encoded and
// predicted -> every metric of the task. Fits run one per thread; nothing depends on the number of threads but time.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct CrossValidation {
  std::size_t folds = 10;
  std::size_t repeats = 1;
  bool curve = false;                                       ///< also the primary metric after each step
  std::function<void(std::size_t, std::size_t)> done = {};  ///< fits done, of how many; called by one thread at a time
  std::function<bool()> stop = {};                          ///< asked after each step, by many threads at once
  backend::ManyFits* machine = nullptr;  ///< does all fits at once, or in turn where they end by themselves
};

struct FoldScore {
  std::size_t repeat = 0, fold = 0;
  std::size_t train_rows = 0, test_rows = 0;
  std::vector<std::pair<std::string, double>> metrics;  ///< on the test rows, in the order of metric::All
  double train_loss = 0.0;                              ///< of the finished network, in the target's units
  std::size_t units = 0;
  double seconds = 0.0;
  std::vector<std::pair<std::size_t, double>> curve;  ///< units and primary metric after 1, 2, ... steps
};

struct CrossValidationResult {
  data::Task task = data::Task::regression;
  std::string task_reason;       ///< empty when the task was given
  std::string metric;            ///< the primary one
  boosting::Config config;       ///< as resolved
  std::vector<FoldScore> folds;  ///< repeat by repeat; those finished, when stopped
  bool stopped = false;
  std::vector<std::string> notes;  ///< for the user, one line each

  Summary score() const { return of_metric(metric); }
  /// Over the folds that have the metric: a fold whose test rows are of one class has no auc.
  Summary of_metric(const std::string& name) const;
  Summary train_loss() const;
  /// Mean over the folds, as far as every fold has units.
  std::vector<std::pair<std::size_t, double>> curve() const;
};

/// Metrics count every test row once, whatever it weighs in training. Folds are drawn from (seed, repeat), stratified
/// where there are classes. Every fit of repeat r has the seed config.seed + r. options.rows, validation, resume and
/// workers must be empty. Throws as boosting::fit and draw_folds do. On a machine: UsageError naming what it cannot do,
/// and a fold's seconds are its share of the time.
CrossValidationResult cross_validate(const data::Table& table, const boosting::FitOptions& options,
                                     const CrossValidation& how, core::Workers& workers);

}  // namespace accrete::tune
