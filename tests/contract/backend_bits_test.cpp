// Results are bit-identical for any number of threads, and equal to rounding for every instruction set.

#include <gtest/gtest.h>

#include <hwy/targets.h>

#include <cmath>

#include "tests/backend/random_rows.hpp"
#include "tests/network/single_target.hpp"

namespace accrete::backend::backend_bits_test {
namespace {

/// All results of a backend on one set of rows, as one vector.
std::vector<double> everything(BackendFixture&& loaded, const ProblemShape& shape) {
  std::vector<double> numbers;
  const auto take = [&](std::span<const double> more) { numbers.insert(numbers.end(), more.begin(), more.end()); };
  const auto drawn = some_of(shape.rows, 5);
  for (StepObjective objective : {StepObjective::squared_error, StepObjective::loss, StepObjective::projected})
    for (bool subset : {false, true}) {
      numbers.push_back(loaded.rows->compute_residuals(true));
      const auto features = all_of(shape.features);
      loaded.rows->set_view({.rows = subset ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>{},
                             .features = features,
                             .units = 4,
                             .objective = objective,
                             .alpha = 0.1});
      const BlockShape block{shape.features, 4, shape.outputs};
      auto p = random_parameters(block, 2);
      if (objective == StepObjective::projected) p.resize(block.hidden_size());
      std::vector<double> gradient(p.size());
      numbers.push_back(loaded.rows->evaluate(p, gradient));
      take(gradient);
    }
  const auto sums = loaded.rows->newton_sums(random_block(3, shape.outputs, all_of(shape.features), 3));
  take(sums.slope), take(sums.curvature), take(sums.largest);
  const auto scores = loaded.rows->scores();
  take(scores.flat());
  numbers.push_back(loaded.rows->mean_loss());
  return numbers;
}

std::vector<double> everything(std::string_view backend, const ProblemShape& shape, std::size_t threads) {
  return everything(BackendFixture(shape, true, backend, threads), shape);
}

TEST(BackendBits, DoNotDependOnTheNumberOfThreads) {
  // A chunk has 1024 rows; 9,000 rows with 4 units are enough work for several threads.
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    for (const bool compact : {false, true}) {
      const std::size_t rows = std::string_view(backend.name) == "reference" ? 200 : 9'000;
      const ProblemShape shape{
          .rows = rows, .features = 12, .outputs = 3, .loss = "softmax", .activation = "tanh", .compact = compact};
      const auto one = everything(backend.name, shape, 1);
      for (std::size_t threads : {2, 3, 5})
        EXPECT_EQ(everything(backend.name, shape, threads), one) << threads << " threads, compact " << compact;
    }
  }
}

TEST(BackendBits, DoNotDependOnWhetherRampsAreStored) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    for (const std::size_t features : {7, 40, 200}) {
      const ProblemShape shape{.rows = std::string_view(backend.name) == "reference" ? 100u : 2'100u,
                               .features = features,
                               .outputs = 1,
                               .loss = "logistic",
                               .activation = "tanh",
                               .compact = true};
      data::Dataset whole = random_dataset(shape, true);
      core::TiledMatrix matrix(shape.rows, features);
      for (std::size_t r = 0; r < shape.rows; ++r)
        for (std::size_t f = 0; f < features; ++f) matrix.at(r, f) = whole.features.at(r, f);
      whole.features = std::move(matrix);
      EXPECT_EQ(everything(BackendFixture(shape, std::move(whole), backend.name), shape),
                everything(BackendFixture(shape, true, backend.name), shape));
    }
  }
}

TEST(BackendBits, AreTheSameOnRepetition) {
  const ProblemShape shape{.rows = 3'000, .features = 12, .outputs = 1, .loss = "logistic", .activation = "relu"};
  EXPECT_EQ(everything("cpu", shape, 2), everything("cpu", shape, 2));
}

TEST(BackendBits, AgreeBetweenInstructionSetsToRounding) {
  for (const char* loss : {"logistic", "softmax", "squared", "poisson"})
    for (const char* activation : activation::All::names)
      for (std::size_t features : {1, 5, 33}) {
        const ProblemShape shape{.rows = 1'100,
                                 .features = features,
                                 .outputs = std::string_view(loss) == "softmax" ? 3u : 1u,
                                 .loss = loss,
                                 .activation = activation};
        SCOPED_TRACE(testing::Message() << loss << " " << activation << " " << features << " features");
        const auto wanted = everything(
            "reference",
            {.rows = 300, .features = features, .outputs = shape.outputs, .loss = loss, .activation = activation}, 1);
        std::size_t targets = 0;
        for (std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
          SCOPED_TRACE(hwy::TargetName(target));
          const SingleTarget single(target);
          const auto found = everything(
              "cpu",
              {.rows = 300, .features = features, .outputs = shape.outputs, .loss = loss, .activation = activation}, 1);
          ASSERT_EQ(found.size(), wanted.size());
          for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], wanted[i], 2e-5 * (1 + std::abs(wanted[i]))) << "number " << i;
          ++targets;
        }
        EXPECT_GE(targets, 1u);
      }
}

}  // namespace
}  // namespace accrete::backend::backend_bits_test
