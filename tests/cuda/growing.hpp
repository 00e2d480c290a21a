#pragma once
// A single fit by the whole GPU, step by step.

#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/network/network.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda {

class GrowingTest : public CudaTest {
 protected:
  /// What came back from the device, step by step.
  struct Grown {
    network::Network network;
    std::vector<double> losses;  ///< after 0, 1, 2, ... steps
  };

  Grown grow(const Fits& made, std::size_t which, const std::vector<std::size_t>& parts) {
    const WholeFit& fit = made.fits[which];
    const auto growing = device_->begin(made.rows[0].train, fit.config, fit.start);
    Grown grown{{made.rows[0].train.features.cols(), activation::Activation::named(fit.config.activation), fit.start},
                {growing->train_loss()}};
    for (const std::size_t steps : parts)
      for (const auto& [block, loss] : growing->grow(steps)) {
        grown.network.append(block);
        grown.losses.push_back(loss);
      }
    EXPECT_EQ(growing->train_loss(), grown.losses.back());
    return grown;
  }

  /// The losses of the network as the CPU has them, from the blocks alone.
  static std::vector<double> losses_of(const Fits& made, const network::Network& network) {
    std::vector<double> losses;
    replay(made, network, network.steps(), [&](const backend::Rows& rows) { losses.push_back(rows.mean_loss()); });
    return losses;
  }

  /// The scores of its first steps.
  static core::Matrix<double> scores_of(const Fits& made, const network::Network& network, std::size_t steps) {
    core::Matrix<double> scores;
    replay(made, network, steps, [&](const backend::Rows& rows) { scores = rows.scores(); });
    return scores;
  }

 private:
  /// see(rows) after 0, 1, 2, ... steps.
  template <class See>
  static void replay(const Fits& made, const network::Network& network, std::size_t steps, See see) {
    core::Workers one(1);
    const boosting::Config& config = made.fits[0].config;
    const auto rows = backend::backend_named("cpu").make(
        {made.rows[0].train, network.outputs(), boosting::loss_of(config), network.activation(), one});
    rows->start(network.bias_after(0));
    see(*rows);
    for (std::size_t s = 0; s < steps; ++s) {
      rows->add(network.block(s), network.bias_after(s + 1));
      see(*rows);
    }
  }
};

}  // namespace accrete::cuda
