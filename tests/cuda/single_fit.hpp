#pragma once
// Fixture for a single fit by the whole GPU, step by step.

#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/network/network.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda {

class CudaSingleFit : public CudaTest {
 protected:
  struct GrownNetwork {
    network::Network network;
    std::vector<double> losses;  ///< reported by the device after 0, 1, 2, ... steps
  };

  /// Grows fit `index`, by calls[i] steps in call i.
  GrownNetwork grow(const FitSet& set, std::size_t index, const std::vector<std::size_t>& calls) {
    const FitRequest& request = set.fits[index];
    const data::Dataset& train = set.rows[0].train;
    const auto fit = device_->begin(train, request.config, request.start);
    GrownNetwork grown{{train.features.cols(), activation::Activation::named(request.config.activation), request.start},
                       {fit->train_loss()}};
    for (const std::size_t steps : calls)
      for (const auto& [block, loss] : fit->grow(steps)) {
        grown.network.append(block);
        grown.losses.push_back(loss);
      }
    EXPECT_EQ(fit->train_loss(), grown.losses.back());
    return grown;
  }

  /// Losses of the network's prefixes, computed by the CPU from its blocks.
  static std::vector<double> prefix_losses(const FitSet& set, const network::Network& network) {
    std::vector<double> losses;
    replay(set, network, network.steps(),
           [&](const backend::TrainingRows& rows) { losses.push_back(rows.mean_loss()); });
    return losses;
  }

  static core::Matrix<double> scores_after(const FitSet& set, const network::Network& network, std::size_t steps) {
    core::Matrix<double> scores;
    replay(set, network, steps, [&](const backend::TrainingRows& rows) { scores = rows.scores(); });
    return scores;
  }

 private:
  /// visit(rows) after 0, 1, 2, ... steps.
  template <class Visit>
  static void replay(const FitSet& set, const network::Network& network, std::size_t steps, Visit visit) {
    core::Workers workers(1);
    const auto rows = backend::backend_named("cpu").make({.dataset = set.rows[0].train,
                                                          .outputs = network.outputs(),
                                                          .loss = config::loss_of(set.fits[0].config),
                                                          .activation = network.activation(),
                                                          .workers = workers});
    rows->reset_scores(network.bias_after(0));
    visit(*rows);
    for (std::size_t s = 0; s < steps; ++s) {
      rows->add_block(network.block(s), network.bias_after(s + 1));
      visit(*rows);
    }
  }
};

}  // namespace accrete::cuda
