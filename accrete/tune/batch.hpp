#pragma once
// Whole fits of the boosted network for a machine that does many at once: rows are encoded here, once for all fits that
// share them, and the scores that come back are turned into predictions here.
//
// Life: made for a table and a machine -> add() every fit -> run() -> predictions() of what was done.

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

class Batch {
 public:
  /// Which prefixes of a network are scored.
  enum class Scored { listed, whole, every_step };

  Batch(const data::Table& table, backend::ManyFits& machine) : table_(table), machine_(machine) {}

  /// A fit of the split's training rows, its test rows to be scored after the listed numbers of units. What the
  /// configuration leaves open is chosen right here, by the CPU and the options' workers. Throws UsageError naming what
  /// the machine cannot do.
  void add(const data::Split& split, boosting::FitOptions options, Scored scored,
           std::span<const std::size_t> units = {});

  /// All of them, as ManyFits::fit does.
  bool run(const backend::FitsWatch& watch) const { return machine_.fit(rows_, fits_, watch); }

  std::size_t size() const { return fits_.size(); }
  const backend::WholeFit& fit(std::size_t which) const { return fits_[which]; }
  const model::Model& model(std::size_t which) const { return models_[fits_[which].rows]; }  ///< without its units
  std::size_t units(std::size_t which) const;                                                ///< of the whole network

  /// Of the test rows, by the prefix at that place of the fit's.
  core::Matrix<double> predictions(std::size_t which, const backend::FitScores& scores, std::size_t prefix) const;

 private:
  std::size_t rows_for(const data::Split& split, boosting::FitOptions options, boosting::Config& config);

  const data::Table& table_;
  backend::ManyFits& machine_;
  std::map<std::pair<const data::Split*, std::string>, std::size_t> known_;
  std::vector<backend::SharedRows> rows_;
  std::vector<model::Model> models_;  ///< one for each of the rows
  std::vector<backend::WholeFit> fits_;
};

/// The fits of a batch, one for each task in order, as Method::fit_many wants them. `start`: when the work on them
/// began.
bool run_tasks(const Batch& batch, std::span<const FitTask> tasks, std::chrono::steady_clock::time_point start,
               const std::function<void(std::size_t, FitRecord)>& done, const std::function<bool()>& stop);

}  // namespace accrete::tune
