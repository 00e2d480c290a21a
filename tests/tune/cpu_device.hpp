#pragma once
// A device that does whole fits by the CPU's own loop: what goes through the seam can be held against what does not.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::tune {

class CpuDevice : public backend::FitDevice {
 public:
  std::string name() const override { return "toy"; }
  std::string describe() const override { return "the CPU"; }
  std::string unsupported_reason(const config::ResolvedConfig& config, std::size_t) const override {
    if (config.units_per_step > max_units) return "too many units a step";
    return backend::cpu_only_reason(config);
  }

  bool fit(std::span<const backend::SharedData> rows, std::span<const backend::FitRequest> fits,
           const backend::FitCallbacks& watch) override {
    batches.push_back({rows.size(), fits.size()});
    core::Workers one(1);
    for (std::size_t f = fits.size(); f-- > 0;) {  // in any order
      if (watch.stop && watch.stop()) return false;
      const backend::FitRequest& fit = fits[f];
      const backend::SharedData& its = rows[fit.rows];
      const boosting::TrainTask task{
          .config = fit.config, .data = its.train, .outputs = fit.start.size(), .workers = one};
      const auto trained = boosting::train(task, start_of(its.train, fit.config, fit.start), {}, {});
      backend::FitScores scores{trained.curves.train.back(), {}};
      network::StagedForward forward(trained.network, its.test.stored(), one);
      for (const std::size_t steps : fit.prefixes) {
        while (forward.steps() < steps) forward.next();
        auto& matrix = scores.prefixes.emplace_back(its.test.rows(), fit.start.size());
        for (std::size_t r = 0; r < matrix.rows(); ++r)
          for (std::size_t k = 0; k < matrix.cols(); ++k) matrix(r, k) = forward.scores()(r, k);
      }
      watch.done(f, scores);
    }
    return true;
  }

  bool runs_steps(const data::Features& features, const config::ResolvedConfig&, std::size_t) const override {
    return !features.has_wide_columns();
  }

  std::unique_ptr<backend::DeviceFit> begin(const data::Dataset& rows, const config::ResolvedConfig& config,
                                            std::span<const double> start) override {
    return std::make_unique<Growing>(*this, rows, config, start);
  }

  std::unique_ptr<backend::TrainingRows> make_rows(const backend::TrainingProblem& problem) override {
    return backend::make_cpu_rows(problem);
  }

  std::size_t max_units = 4;                                 ///< of a step
  std::vector<std::pair<std::size_t, std::size_t>> batches;  ///< rows and fits of each call of fit
  std::vector<std::size_t> grown;                            ///< steps of each call of grow
  std::vector<std::size_t> went_on;                          ///< steps of each call of resume_from
  double furthest = 0.0;                                     ///< between scores told there and its own

 private:
  static network::Network start_of(const data::Dataset& rows, const config::ResolvedConfig& config,
                                   std::span<const double> start) {
    return {rows.features.cols(), activation::Activation::named(config.activation), start};
  }

  /// All of it at the beginning, handed out as it is asked for. Rows are looked at again, which a device need not do.
  class Growing : public backend::DeviceFit {
   public:
    Growing(CpuDevice& device, const data::Dataset& rows, const config::ResolvedConfig& config,
            std::span<const double> start)
        : device_(device), rows_(rows) {
      core::Workers one(1);
      const boosting::TrainTask task{.config = config, .data = rows, .outputs = start.size(), .workers = one};
      trained_ = boosting::train(task, start_of(rows, config, start), {}, {});
    }

    double train_loss() const override { return trained_->curves.train[at_]; }
    void resume_from(std::size_t steps, core::MatrixView<const double> scores) override {
      core::Workers one(1);
      const auto mine = network::forward(trained_->network, rows_.features.stored(), steps, one);
      for (std::size_t r = 0; r < scores.rows; ++r)
        for (std::size_t k = 0; k < scores.cols; ++k)
          device_.furthest = std::max(device_.furthest, std::abs(scores(r, k) - mine(r, k)));
      device_.went_on.push_back(steps);
      at_ = steps;
    }
    std::vector<backend::DeviceStep> grow(std::size_t steps) override {
      device_.grown.push_back(steps);
      std::vector<backend::DeviceStep> result;
      for (std::size_t s = 0; s < steps; ++s, ++at_) {
        network::Block block = trained_->network.block(at_);
        const auto before = trained_->network.bias_after(at_), after = trained_->network.bias_after(at_ + 1);
        block.output_bias.clear();
        for (std::size_t k = 0; k < after.size(); ++k) block.output_bias.push_back(after[k] - before[k]);
        result.push_back({std::move(block), trained_->curves.train[at_ + 1]});
      }
      return result;
    }

   private:
    CpuDevice& device_;
    const data::Dataset& rows_;
    std::optional<boosting::TrainResult> trained_;
    std::size_t at_ = 0;
  };
};

}  // namespace accrete::tune
