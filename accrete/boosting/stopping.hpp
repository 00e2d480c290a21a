#pragma once
// Keeps the scores of the training rows and, where there is one, of the validation part; draws the curves and says
// when to stop.

#include <memory>
#include <span>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/train.hpp"

namespace accrete::boosting {

/// The training part: its rows, or, where a machine has them, their loss before the first step and, for a network that
/// has steps already, rows to replay them on.
struct Monitored {
  backend::Rows* rows;
  double start_loss = 0.0;
  bool on_machine = false;  ///< the rows are done with when the steps are replayed
};

class Monitor {
 public:
  /// Replays the network's steps on both parts; `curves` are those of the steps already there, or empty.
  Monitor(const TrainTask& task, const network::Network& network, const Monitored& training, Curves curves);

  /// A new step: updates the scores and adds a point to the curves. A machine tells the training loss after it.
  void add(const network::Block& block, std::span<const double> bias, double told_loss);

  const Curves& curves() const { return curves_; }
  Curves take_curves() { return std::move(curves_); }

  /// Steps with the least validation loss (the earliest of equals); all without a validation part.
  std::size_t best_step() const;

  bool out_of_patience(const network::Network& network) const;

 private:
  void measure(double told_loss);

  const Config& config_;
  backend::Rows* rows_;
  std::unique_ptr<backend::Rows> validation_;
  Curves curves_;
};

}  // namespace accrete::boosting
