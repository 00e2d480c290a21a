#pragma once
// Measures training and validation loss after each step and decides on early stopping.

#include <cstddef>
#include <memory>
#include <span>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/step/step_source.hpp"
#include "accrete/boosting/train.hpp"

namespace accrete::boosting {

class LossMonitor {
 public:
  /// Replays the network's steps on the training and validation rows. curves: those of these steps on these rows; one
  /// that is empty is measured.
  LossMonitor(const TrainTask& task, const network::Network& network, const MonitoredRows& training, Curves curves);

  /// Adds a step to the scores and a point to the curves. device_loss: the training loss if a device computes it.
  void add(const network::Block& block, std::span<const double> bias, double device_loss);

  const Curves& curves() const { return curves_; }
  Curves take_curves() { return std::move(curves_); }

  /// Steps with the smallest validation loss or metric (the earliest on ties); all steps without a validation set.
  std::size_t best_step() const;

  bool is_out_of_patience(const network::Network& network) const;

 private:
  /// Adds the point of this number of steps to the curves that lack it.
  void measure(std::size_t steps, double device_loss);

  const config::ResolvedConfig& config_;
  const ValidationMetric& metric_;
  backend::TrainingRows* rows_;
  std::unique_ptr<backend::TrainingRows> validation_;
  Curves curves_;
};

}  // namespace accrete::boosting
