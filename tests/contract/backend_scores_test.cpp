// Scores, losses, residuals and Newton sums of every backend; backend_contract_test.cpp explains the tolerances.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/contract/backend_cases.hpp"

namespace accrete::backend::backend_scores_test {
namespace {

TEST(BackendContract, MatchesScoresLossesAndResidualsOfTheReference) {
  for_each_backend([&](const char* backend) {
    for (const char* loss : loss::All::names)
      for (std::size_t outputs : outputs_of(loss))
        for (std::size_t rows : {1, 64, 257, 1030})
          for (const char* activation : activation::All::names) {
            const ProblemShape shape{
                .rows = rows, .features = 5, .outputs = outputs, .loss = loss, .activation = activation};
            SCOPED_TRACE(testing::Message()
                         << loss << " " << activation << " " << rows << " rows " << outputs << " outputs");
            BackendFixture a(shape, true, backend), b(shape, true, "reference");
            EXPECT_NEAR(a.rows->mean_loss(), b.rows->mean_loss(), 2e-6 * (1 + std::abs(b.rows->mean_loss())));
            const auto ours = a.rows->scores(), theirs = b.rows->scores();
            expect_close(ours.flat(), theirs.flat(), 1e-6, "scores");
            const double size = b.rows->compute_residuals(true);
            EXPECT_NEAR(a.rows->compute_residuals(true), size, 2e-6 * size);
            const auto block = random_block(3, outputs, {0, 2, 3}, 9);
            const auto rescaled = a.rows->newton_sums(block), sb = b.rows->newton_sums(block);
            EXPECT_EQ(a.rows->compute_residuals(false), 1.0);
            EXPECT_EQ(b.rows->compute_residuals(false), 1.0);
            for (const auto& sa : {rescaled, a.rows->newton_sums(block)}) {
              expect_close(sa.slope, sb.slope, 5e-6, "slope");
              expect_close(sa.curvature, sb.curvature, 5e-6, "curvature");
              expect_close(sa.largest, sb.largest, 5e-6, "largest");
            }
          }
  });
}

TEST(BackendContract, FitsTheResidualsThatAreSet) {
  for_each_backend([&](const char* backend) {
    for (const std::size_t outputs : {1, 3}) {
      SCOPED_TRACE(outputs);
      const ProblemShape shape{.rows = 300, .features = 5, .outputs = outputs, .loss = "squared", .activation = "tanh"};
      BackendFixture a(shape, true, backend), b(shape, true, "reference");
      core::Matrix<double> residuals(shape.rows, outputs);
      core::Rng rng(8, 0, core::Purpose::generator);
      for (double& x : residuals.flat()) x = static_cast<float>(rng.normal());
      const std::vector<std::size_t> features{0, 2, 4};
      const auto p = random_parameters({features.size(), 2, outputs}, 4);
      std::vector<std::vector<double>> gradients;
      for (BackendFixture* each : {&a, &b}) {
        each->rows->set_residuals(residuals);
        each->rows->set_view(
            {.rows = {}, .features = features, .units = 2, .objective = StepObjective::squared_error, .alpha = 0.3});
        each->rows->evaluate(p, gradients.emplace_back(p.size()));
      }
      expect_close(gradients[0], gradients[1], 5e-6, "gradient");
    }
  });
}

TEST(BackendContract, PredictsTheLossAfterABlockIsAdded) {
  for (const Backend& backend : backends())
    for (const char* loss : {"squared", "softmax"}) {
      SCOPED_TRACE(backend.name);
      const ProblemShape shape{.rows = 300, .features = 6, .outputs = 3, .loss = loss, .activation = "tanh"};
      BackendFixture loaded(shape, true, backend.name);
      network::Block block;
      block.units = 2;
      block.outputs = 3;
      block.features = {0, 2, 5};
      const auto p = random_parameters({3, 2, 3}, 9);
      block.hidden_weights.assign(p.begin(), p.begin() + 6);
      block.hidden_bias.assign(p.begin() + 6, p.begin() + 8);
      block.output_weights.assign(p.begin() + 8, p.begin() + 14);
      block.output_bias = {0.5, -0.25, 0.125};
      const std::vector<double> start(3, 0.0);
      loaded.rows->reset_scores(start);
      const double before = loaded.rows->mean_loss(), predicted = loaded.rows->mean_loss_after(block);
      EXPECT_EQ(loaded.rows->mean_loss(), before) << "mean_loss_after has no side effects";
      loaded.rows->add_block(block, block.output_bias);
      EXPECT_NEAR(predicted, loaded.rows->mean_loss(), 1e-6 * predicted);
      EXPECT_NE(predicted, before);
    }
}

/// A backend may cache activations of the block it fitted last; the results are the same as without the cache.
TEST(BackendContract, TreatsAFittedBlockLikeAnyOther) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (bool drawn : {false, true})
        for (bool changed : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << activation << (drawn ? ", rows drawn" : "") << (changed ? ", changed" : ""));
          const ProblemShape shape{
              .rows = 1030, .features = 5, .outputs = 1, .loss = "logistic", .activation = activation};
          BackendFixture fitted(shape, true, backend), fresh(shape, true, backend);
          const BlockShape sizes{3, 2, 1};
          auto p = random_parameters(sizes, 4);
          for (double& x : p) x = static_cast<double>(static_cast<float>(x));
          const std::span<double> hidden = std::span(p).first(sizes.hidden_size());
          const TestView view{
              drawn ? some_of(1030, 3) : std::vector<std::size_t>{}, {0, 2, 3}, 2, StepObjective::projected};
          evaluate(fitted, view, hidden);
          std::vector<double> again(3), anew(3), elsewhere(3);
          fitted.rows->project(hidden, again);
          fitted.rows->set_view({.rows = view.rows,
                                 .features = view.features,
                                 .units = 2,
                                 .objective = StepObjective::projected,
                                 .alpha = 0.3});
          fitted.rows->project(hidden, anew);
          EXPECT_EQ(again, anew);
          fitted.rows->project(random_parameters({3, 2, 0}, 5), elsewhere);
          EXPECT_NE(elsewhere, anew);
          fitted.rows->project(hidden, again);
          EXPECT_EQ(again, anew);
          if (changed) hidden[3] += 1.0;  // differs from the fitted block in one weight
          network::Block block = random_block(2, 1, {0, 2, 3}, 9);
          block.hidden_weights.assign(p.begin(), p.begin() + 6);
          block.hidden_bias.assign(p.begin() + 6, p.begin() + 8);
          const auto a = fitted.rows->newton_sums(block), b = fresh.rows->newton_sums(block);
          EXPECT_EQ(a.slope, b.slope);
          EXPECT_EQ(a.curvature, b.curvature);
          EXPECT_EQ(fitted.rows->mean_loss_after(block), fresh.rows->mean_loss_after(block));
          for (BackendFixture* loaded : {&fitted, &fresh}) loaded->rows->add_block(block, block.output_bias);
          EXPECT_EQ(fitted.rows->mean_loss(), fresh.rows->mean_loss());
          const auto ours = fitted.rows->scores(), theirs = fresh.rows->scores();
          for (std::size_t r = 0; r < shape.rows; ++r) ASSERT_EQ(ours(r, 0), theirs(r, 0)) << r;
        }
  });
}

}  // namespace
}  // namespace accrete::backend::backend_scores_test
