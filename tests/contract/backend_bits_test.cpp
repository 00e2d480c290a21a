// What must not change a bit, or not a digit: the number of threads, and the processor's instruction set.

#include <gtest/gtest.h>

#include <hwy/targets.h>

#include <cmath>

#include "tests/backend/random_rows.hpp"

namespace accrete::backend {
namespace {

/// Everything a backend computes on one set of rows, as one list of numbers.
std::vector<double> everything(Loaded&& loaded, const Shape& shape) {
  std::vector<double> numbers;
  const auto take = [&](std::span<const double> more) { numbers.insert(numbers.end(), more.begin(), more.end()); };
  const auto drawn = some_of(shape.rows, 5);
  for (Fit fit : {Fit::squares, Fit::loss, Fit::projected})
    for (bool subset : {false, true}) {
      numbers.push_back(loaded.rows->take_residuals(true));
      const auto features = all_of(shape.features);
      loaded.rows->look_at(
          {subset ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>{}, features, 4, fit, 0.1});
      const BlockShape block{shape.features, 4, shape.outputs};
      auto p = random_parameters(block, 2);
      if (fit == Fit::projected) p.resize(block.hidden_size());
      std::vector<double> gradient(p.size());
      numbers.push_back(loaded.rows->evaluate(p, gradient));
      take(gradient);
    }
  const auto sums = loaded.rows->newton(random_block(3, shape.outputs, all_of(shape.features), 3));
  take(sums.slope), take(sums.curvature), take(sums.largest);
  const auto scores = loaded.rows->scores();
  take(scores.flat());
  numbers.push_back(loaded.rows->mean_loss());
  return numbers;
}

std::vector<double> everything(std::string_view backend, const Shape& shape, std::size_t threads) {
  return everything(Loaded(shape, true, backend, threads), shape);
}

TEST(BackendBits, do_not_depend_on_the_number_of_threads) {
  // Chunks are of 1024 rows; 9,000 rows times 4 units are far above the size that is not worth a second thread.
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    for (const bool compact : {false, true}) {
      const std::size_t rows = std::string_view(backend.name) == "reference" ? 200 : 9'000;
      const Shape shape{rows, 12, 3, "softmax", "tanh", compact};
      const auto one = everything(backend.name, shape, 1);
      for (std::size_t threads : {2, 3, 5})
        EXPECT_EQ(everything(backend.name, shape, threads), one) << threads << " threads, compact " << compact;
    }
  }
}

TEST(BackendBits, do_not_depend_on_whether_ramps_are_stored) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    for (const std::size_t features : {7, 40, 200}) {
      const Shape shape{
          std::string_view(backend.name) == "reference" ? 100u : 2'100u, features, 1, "logistic", "tanh", true};
      data::Dataset whole = random_dataset(shape, true);
      core::TiledMatrix matrix(shape.rows, features);
      for (std::size_t r = 0; r < shape.rows; ++r)
        for (std::size_t f = 0; f < features; ++f) matrix.at(r, f) = whole.features.at(r, f);
      whole.features = std::move(matrix);
      EXPECT_EQ(everything(Loaded(shape, std::move(whole), backend.name), shape),
                everything(Loaded(shape, true, backend.name), shape));
    }
  }
}

TEST(BackendBits, are_the_same_when_asked_again) {
  const Shape shape{3'000, 12, 1, "logistic", "relu"};
  EXPECT_EQ(everything("cpu", shape, 2), everything("cpu", shape, 2));
}

/// Restores the processor's own choice whatever happens.
struct OnlyTarget {
  explicit OnlyTarget(std::int64_t target) { choose(target); }
  ~OnlyTarget() { choose(0); }
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST(BackendBits, agree_between_instruction_sets) {
  for (const char* loss : {"logistic", "softmax", "squared", "poisson"})
    for (const char* activation : activation::All::names)
      for (std::size_t features : {1, 5, 33}) {
        const Shape shape{1'100, features, std::string_view(loss) == "softmax" ? 3u : 1u, loss, activation};
        SCOPED_TRACE(testing::Message() << loss << " " << activation << " " << features << " features");
        const auto wanted = everything("reference", {300, features, shape.outputs, loss, activation}, 1);
        std::size_t targets = 0;
        for (std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
          SCOPED_TRACE(hwy::TargetName(target));
          const OnlyTarget only(target);
          const auto found = everything("cpu", {300, features, shape.outputs, loss, activation}, 1);
          ASSERT_EQ(found.size(), wanted.size());
          for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], wanted[i], 2e-5 * (1 + std::abs(wanted[i]))) << "number " << i;
          ++targets;
        }
        EXPECT_GE(targets, 1u);
      }
}

}  // namespace
}  // namespace accrete::backend
