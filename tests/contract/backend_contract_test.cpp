// Every backend against the reference, and the reference against finite differences.
//
// Tolerances follow from the arithmetic. A float backend rounds each activation, output and error to about 1e-7 of its
// size (a few roundings each), and a weight's gradient is a sum of such products over rows: its error is some 1e-7
// times the sum of their magnitudes, which for a gradient without cancellation is the gradient itself. So gradients are
// held to 2e-6 of the largest entry (sums of up to 64 floats per lane grow the rounding a little), values to 2e-6 of 1
// + value; a hidden unit's sum over f features adds rounding that grows with its square root. Projected gradients go
// through a linear system and lose another digit.

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/data/neighbours.hpp"
#include "tests/backend/random_rows.hpp"

namespace accrete::backend {
namespace {

double largest(std::span<const double> values) {
  double most = 0.0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

void expect_close(std::span<const double> found, std::span<const double> wanted, double tolerance, const char* what) {
  ASSERT_EQ(found.size(), wanted.size());
  const double scale = 1e-3 + largest(wanted);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * scale) << what << ", number " << i;
}

std::vector<std::size_t> outputs_of(const std::string& loss) {
  if (loss == "softmax") return {3, 10};
  if (loss == "logistic") return {1};
  return {1, 3};
}

struct View {
  std::vector<std::size_t> rows, features;
  std::size_t units;
  Fit fit;
};

std::vector<double> evaluate(Loaded& loaded, const View& view, std::span<const double> parameters) {
  loaded.rows->take_residuals(view.units % 2 == 1);
  loaded.rows->look_at({view.rows, view.features, view.units, view.fit, 0.3});
  std::vector<double> result(parameters.size() + 1);
  result.back() = loaded.rows->evaluate(parameters, std::span(result).first(parameters.size()));
  return result;
}

void compare_evaluations(Loaded& found, Loaded& wanted, const Shape& shape, const View& view) {
  SCOPED_TRACE(testing::Message() << shape.loss << " " << shape.activation << " " << shape.rows << "x" << shape.features
                                  << " outputs " << shape.outputs << " units " << view.units << " fit "
                                  << static_cast<int>(view.fit) << " drawn rows " << view.rows.size());
  const BlockShape block{view.features.size(), view.units, shape.outputs};
  auto p = random_parameters(block, shape.rows + view.units);
  if (view.fit == Fit::projected) p.resize(block.hidden_size());
  const auto a = evaluate(found, view, p), b = evaluate(wanted, view, p);
  const double rounding = 2e-6 + 2e-7 * std::sqrt(static_cast<double>(view.features.size()));
  expect_close(std::span(a).first(p.size()), std::span(b).first(p.size()),
               view.fit == Fit::projected ? 5 * rounding : rounding, "gradient");
  EXPECT_NEAR(a.back(), b.back(), rounding * (1 + std::abs(b.back())));
}

/// Of the point evaluated last; the triangle that is not written stays 0.
std::vector<double> curvature(Loaded& loaded, std::size_t weights) {
  std::vector<double> matrix(weights * weights);
  loaded.rows->curvature(matrix);
  return matrix;
}

/// What is measured can change without looking anew at the rows, there and back.
void compare_after_measure(Loaded& loaded, const Shape& shape, const View& view) {
  const BlockShape block{view.features.size(), view.units, shape.outputs};
  const auto p = random_parameters(block, 5);
  const auto hidden = std::span(p).first(block.hidden_size());
  View other = view;
  other.fit = Fit::projected;
  const auto wanted = evaluate(loaded, other, hidden);
  const auto squares = evaluate(loaded, view, p);
  loaded.rows->measure(Fit::projected);
  std::vector<double> gradient(hidden.size()), whole(p.size());
  EXPECT_EQ(loaded.rows->evaluate(hidden, gradient), wanted.back());
  for (std::size_t i = 0; i < gradient.size(); ++i) ASSERT_EQ(gradient[i], wanted[i]);
  loaded.rows->measure(view.fit);
  EXPECT_EQ(loaded.rows->evaluate(p, whole), squares.back());
}

/// Calls f(backend name) for each that is not the reference.
template <class F>
void for_each_backend(F f) {
  for (const Backend& backend : backends())
    if (std::string_view(backend.name) != "reference") {
      SCOPED_TRACE(backend.name);
      f(backend.name);
    }
}

void compare_shape(const char* backend, const Shape& shape, bool weighted, std::span<const std::size_t> units) {
  Loaded found(shape, weighted, backend), wanted(shape, weighted, "reference");
  for (std::size_t j : units)
    for (Fit fit : {Fit::squares, Fit::loss, Fit::projected})
      for (bool drawn : {false, true}) {
        View view{{}, all_of(shape.features), j, fit};
        if (drawn) view.rows = some_of(shape.rows, 3), view.features = some_of(shape.features, 4);
        // Weighted draws might hold no weight at all; the first row always has some.
        if (drawn && (view.rows.empty() || view.rows[0] != 0)) view.rows.insert(view.rows.begin(), 0);
        compare_evaluations(found, wanted, shape, view);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(BackendContract, evaluates_as_the_reference_for_every_loss_and_activation) {
  const std::vector<std::size_t> units{1, 2, 3, 4, 5};
  for_each_backend([&](const char* backend) {
    for (const char* loss : loss::All::names)
      for (const char* activation : activation::All::names)
        for (std::size_t outputs : outputs_of(loss))
          compare_shape(backend, {65, 5, outputs, loss, activation}, outputs % 2 == 1, units);
  });
}

TEST(BackendContract, evaluates_as_the_reference_for_every_size) {
  const std::vector<std::size_t> units{1, 4};
  for_each_backend([&](const char* backend) {
    for (std::size_t rows : {1, 2, 63, 64, 65, 257, 1030})
      for (std::size_t features : {1, 2, 5, 33, 300}) {
        if (rows * features > 100'000) continue;
        compare_shape(backend, {rows, features, 1, "logistic", "tanh"}, false, units);
        compare_shape(backend, {rows, features, 3, "softmax", "relu"}, true, units);
      }
  });
}

TEST(BackendContract, evaluates_as_the_reference_for_every_number_of_units) {
  // Products go by blocks of inputs, units and rows, some over several tiles: every remainder of each should come up.
  const std::vector<std::size_t> units{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for_each_backend([&](const char* backend) {
    for (std::size_t features : {10, 41, 45, 50})
      for (std::size_t outputs : {1, 2, 5}) {
        compare_shape(backend, {700, features, outputs}, false, units);
        compare_shape(backend, {300, features, outputs, "squared", "tanh"}, true, units);
      }
  });
}

TEST(BackendContract, evaluates_as_the_reference_where_no_cache_holds_the_rows) {
  const Shape shape{29'000, 300};
  ASSERT_GT(shape.rows * shape.features * sizeof(float), data::shared_bytes);
  for_each_backend([&](const char* backend) {
    Loaded found(shape, false, backend), wanted(shape, false, "reference");
    for (std::size_t units : {1, 2, 4})
      for (const auto& features : {all_of(shape.features), some_of(shape.features, 4)})
        compare_evaluations(found, wanted, shape, {{}, features, units, Fit::squares});
  });
}

TEST(BackendContract, evaluates_as_the_reference_where_ramps_are_not_stored) {
  const std::vector<std::size_t> units{1, 3, 4};
  for_each_backend([&](const char* backend) {
    for (std::size_t rows : {1, 65, 257, 1030})
      for (std::size_t features : {1, 5, 33, 150}) {
        if (rows * features > 40'000) continue;
        compare_shape(backend, {rows, features, 1, "logistic", "tanh", true}, false, units);
        compare_shape(backend, {rows, features, 3, "softmax", "relu", true}, true, units);
      }
  });
}

TEST(BackendContract, rows_without_weight_leave_only_the_penalty) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    const Shape shape{65, 3, 1, "logistic", "tanh"};
    Loaded loaded(shape, true, backend.name);
    View view{{}, all_of(3), 2, Fit::loss};
    for (std::size_t r = 0; r < 65; ++r)
      if (loaded.data.weights[r] == 0.0) view.rows.push_back(r);
    ASSERT_GT(view.rows.size(), 3u);
    const BlockShape block{3, 2, 1};
    const auto p = random_parameters(block, 1);
    std::vector<double> penalty(p.size() + 1);
    penalty.back() =
        add_penalty(block, 0.3 / (0.5 * static_cast<double>(view.rows.size())), p, std::span(penalty).first(p.size()));
    const auto found = evaluate(loaded, view, p);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_DOUBLE_EQ(found[i], penalty[i]) << i;
    view.fit = Fit::projected;
    for (double x : evaluate(loaded, view, std::span(p).first(block.hidden_size()))) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(BackendContract, scores_losses_and_residuals_are_the_reference_s) {
  for_each_backend([&](const char* backend) {
    for (const char* loss : loss::All::names)
      for (std::size_t outputs : outputs_of(loss))
        for (std::size_t rows : {1, 64, 257, 1030})
          for (const char* activation : activation::All::names) {
            const Shape shape{rows, 5, outputs, loss, activation};
            SCOPED_TRACE(testing::Message()
                         << loss << " " << activation << " " << rows << " rows " << outputs << " outputs");
            Loaded a(shape, true, backend), b(shape, true, "reference");
            EXPECT_NEAR(a.rows->mean_loss(), b.rows->mean_loss(), 2e-6 * (1 + std::abs(b.rows->mean_loss())));
            const auto ours = a.rows->scores(), theirs = b.rows->scores();
            expect_close(ours.flat(), theirs.flat(), 1e-6, "scores");
            const double size = b.rows->take_residuals(true);
            EXPECT_NEAR(a.rows->take_residuals(true), size, 2e-6 * size);
            const auto block = random_block(3, outputs, {0, 2, 3}, 9);
            const auto rescaled = a.rows->newton(block), sb = b.rows->newton(block);
            EXPECT_EQ(a.rows->take_residuals(false), 1.0);
            EXPECT_EQ(b.rows->take_residuals(false), 1.0);
            for (const auto& sa : {rescaled, a.rows->newton(block)}) {
              expect_close(sa.slope, sb.slope, 5e-6, "slope");
              expect_close(sa.curvature, sb.curvature, 5e-6, "curvature");
              expect_close(sa.largest, sb.largest, 5e-6, "largest");
            }
          }
  });
}

TEST(BackendContract, curves_as_the_reference) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (std::size_t outputs : {1, 3})
        for (std::size_t units : {1, 2, 5})
          for (bool compact : {false, true}) {
            const Shape shape{257, 6, outputs, "squared", activation, compact};
            Loaded found(shape, units % 2 == 1, backend), wanted(shape, units % 2 == 1, "reference");
            const BlockShape block{6, units, outputs};
            const auto p = random_parameters(block, units);
            const auto hidden = std::span(p).first(block.hidden_size());
            const View view{{}, all_of(6), units, Fit::projected};
            evaluate(found, view, hidden), evaluate(wanted, view, hidden);
            expect_close(curvature(found, hidden.size()), curvature(wanted, hidden.size()), 2e-5, activation);
            if (testing::Test::HasFatalFailure()) return;
          }
  });
}

TEST(BackendContract, a_sample_of_many_rows_curves_as_all_of_them) {
  // The later a row, the larger its features: a sample must come from everywhere. 2,048 of 16,384 rows are as good as
  // all to a twentieth or so of the largest entry.
  const Shape shape{64 * 256, 3, 2, "squared", "logistic"};
  data::Dataset data = random_dataset(shape, false);
  core::TiledMatrix numbers = data.features.stored();
  for (std::size_t r = 0; r < shape.rows; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      numbers.at(r, c) *= 2.0f * static_cast<float>(r) / static_cast<float>(shape.rows);
  data.features = std::move(numbers);
  for_each_backend([&](const char* backend) {
    Loaded loaded(shape, data, backend), wanted(shape, data, "reference");
    const BlockShape block{3, 2, 2};
    const auto p = random_parameters(block, 7);
    const auto hidden = std::span(p).first(block.hidden_size());
    const View view{{}, all_of(3), 2, Fit::projected};
    evaluate(loaded, view, hidden), evaluate(wanted, view, hidden);
    expect_close(curvature(loaded, hidden.size()), curvature(wanted, hidden.size()), 0.08, "sample");
  });
}

TEST(Reference, a_perfect_fit_curves_as_gauss_and_newton_say) {
  // Where nothing is left to explain, their matrix is the second derivative itself, the output layer following.
  const Shape shape{60, 3, 2, "squared", "tanh"};
  Loaded loaded(shape, true, "reference");
  const BlockShape block{3, 2, 2};
  const auto p = random_parameters(block, 3);
  const auto hidden = std::span(p).first(block.hidden_size());
  const auto made = random_block(2, 2, all_of(3), 3);
  auto& targets = loaded.data.targets;
  for (std::size_t r = 0; r < 60; ++r)
    for (std::size_t k = 0; k < 2; ++k) {
      targets(r, k) = made.output_bias[k];
      for (std::size_t j = 0; j < 2; ++j) {
        double z = p[block.hidden_bias_at() + j];
        for (std::size_t i = 0; i < 3; ++i) z += p[j * 3 + i] * loaded.data.features.at(r, i);
        targets(r, k) += std::tanh(z) * made.output_weights[j * 2 + k];
      }
    }
  loaded.rows->start(std::vector<double>(2));
  loaded.rows->take_residuals(false);
  const auto features = all_of(3);
  loaded.rows->look_at({{}, features, 2, Fit::projected, 0.0});
  std::vector<double> gradient(hidden.size()), more(hidden.size());
  EXPECT_NEAR(loaded.rows->evaluate(hidden, gradient), 0.0, 1e-20);
  const auto matrix = curvature(loaded, hidden.size());
  std::vector<double> point(hidden.begin(), hidden.end()), wanted(matrix.size());
  for (std::size_t i = 0; i < hidden.size(); ++i)
    for (double by : {1e-5, -1e-5}) {
      point[i] = hidden[i] + by;
      loaded.rows->evaluate(point, more);
      point[i] = hidden[i];
      for (std::size_t j = i; j < hidden.size(); ++j) wanted[i * hidden.size() + j] += more[j] / (2.0 * by);
    }
  expect_close(matrix, wanted, 1e-6, "second derivative");
}

TEST(BackendContract, projects_as_the_reference) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (std::size_t rows : {2, 65, 1030})
        for (std::size_t units : {1, 3, 5}) {
          const Shape shape{rows, 5, 3, "squared", activation};
          SCOPED_TRACE(testing::Message() << activation << " " << rows << " rows " << units << " units");
          Loaded a(shape, true, backend), b(shape, true, "reference");
          const BlockShape block{5, units, 3};
          const auto p = random_parameters(block, 8);
          std::vector<double> layer_a((units + 1) * 3), layer_b(layer_a.size());
          for (auto [loaded, layer] : {std::pair{&a, &layer_a}, std::pair{&b, &layer_b}}) {
            loaded->rows->take_residuals(true);
            loaded->rows->look_at({{}, all_of(5), units, Fit::projected, 0.5});
            loaded->rows->project(std::span(p).first(block.hidden_size()), *layer);
          }
          // The system's condition (up to about 100 here) multiplies the activations' rounding.
          expect_close(layer_a, layer_b, 5e-5, "output layer");
        }
  });
}

/// Backs away from relu's corners: a row whose unit turns on within a difference makes the difference wrong.
TEST(BackendContract, reference_gradients_are_those_of_its_values) {
  for (const char* loss : loss::All::names)
    for (const char* activation : activation::All::names)
      for (std::size_t units = 1; units <= 5; ++units)
        for (Fit fit : {Fit::squares, Fit::loss, Fit::projected}) {
          if (std::string_view(loss) == "quantile" && fit == Fit::loss) continue;  // kinks at every row
          const std::size_t outputs = outputs_of(loss).back() == 10 ? 4 : outputs_of(loss).back();
          const Shape shape{23, 3, outputs, loss, activation};
          SCOPED_TRACE(testing::Message()
                       << loss << " " << activation << " units " << units << " fit " << static_cast<int>(fit));
          Loaded loaded(shape, true, "reference");
          const BlockShape block{3, units, outputs};
          auto p = random_parameters(block, 11 + units);
          if (fit == Fit::projected) p.resize(block.hidden_size());
          const View view{{}, all_of(3), units, fit};
          const auto at = evaluate(loaded, view, p);
          constexpr double h = 1e-6;
          for (std::size_t i = 0; i < p.size(); ++i) {
            const double kept = p[i];
            p[i] = kept + h;
            const double up = evaluate(loaded, view, p).back();
            p[i] = kept - h;
            const double down = evaluate(loaded, view, p).back();
            p[i] = kept;
            ASSERT_NEAR(at[i], (up - down) / (2 * h), 2e-8 * (1 + std::abs(at[i]) + std::abs(at.back())))
                << "parameter " << i;
          }
        }
}

TEST(BackendContract, KnowsTheLossABlockWouldLeaveBeforeItIsAdded) {
  for (const Backend& backend : backends())
    for (const char* loss : {"squared", "softmax"}) {
      SCOPED_TRACE(backend.name);
      const Shape shape{300, 6, 3, loss, "tanh"};
      Loaded loaded(shape, true, backend.name);
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
      loaded.rows->start(start);
      const double before = loaded.rows->mean_loss(), foretold = loaded.rows->mean_loss_with(block);
      EXPECT_EQ(loaded.rows->mean_loss(), before) << "asking changes nothing";
      loaded.rows->add(block, block.output_bias);
      EXPECT_NEAR(foretold, loaded.rows->mean_loss(), 1e-6 * foretold);
      EXPECT_NE(foretold, before);
    }
}

/// The block that a fit of all rows ended with may be known to a backend; nobody can tell from the result.
TEST(BackendContract, ABlockThatWasFittedMovesRowsAsAnyOther) {
  for_each_backend([&](const char* backend) {
    for (const char* activation : activation::All::names)
      for (bool drawn : {false, true})
        for (bool moved_on : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << activation << (drawn ? ", rows drawn" : "") << (moved_on ? ", moved" : ""));
          const Shape shape{1030, 5, 1, "logistic", activation};
          Loaded fitted(shape, true, backend), fresh(shape, true, backend);
          const BlockShape sizes{3, 2, 1};
          auto p = random_parameters(sizes, 4);
          for (double& x : p) x = static_cast<double>(static_cast<float>(x));
          const std::span<double> hidden = std::span(p).first(sizes.hidden_size());
          const View view{drawn ? some_of(1030, 3) : std::vector<std::size_t>{}, {0, 2, 3}, 2, Fit::projected};
          evaluate(fitted, view, hidden);
          std::vector<double> again(3), anew(3), elsewhere(3);
          fitted.rows->project(hidden, again);
          fitted.rows->look_at({view.rows, view.features, 2, Fit::projected, 0.3});
          fitted.rows->project(hidden, anew);
          EXPECT_EQ(again, anew);
          fitted.rows->project(random_parameters({3, 2, 0}, 5), elsewhere);
          EXPECT_NE(elsewhere, anew);
          fitted.rows->project(hidden, again);
          EXPECT_EQ(again, anew);
          if (moved_on) hidden[3] += 1.0;  // a block that is nearly the one that was fitted
          network::Block block = random_block(2, 1, {0, 2, 3}, 9);
          block.hidden_weights.assign(p.begin(), p.begin() + 6);
          block.hidden_bias.assign(p.begin() + 6, p.begin() + 8);
          const auto a = fitted.rows->newton(block), b = fresh.rows->newton(block);
          EXPECT_EQ(a.slope, b.slope);
          EXPECT_EQ(a.curvature, b.curvature);
          EXPECT_EQ(fitted.rows->mean_loss_with(block), fresh.rows->mean_loss_with(block));
          for (Loaded* loaded : {&fitted, &fresh}) loaded->rows->add(block, block.output_bias);
          EXPECT_EQ(fitted.rows->mean_loss(), fresh.rows->mean_loss());
          const auto ours = fitted.rows->scores(), theirs = fresh.rows->scores();
          for (std::size_t r = 0; r < shape.rows; ++r) ASSERT_EQ(ours(r, 0), theirs(r, 0)) << r;
        }
  });
}

TEST(BackendContract, MeasuresAnotherObjectiveOverTheSameView) {
  for (const Backend& backend : backends()) {
    SCOPED_TRACE(backend.name);
    const Shape shape{700, 9, 2, "squared", "logistic"};
    Loaded loaded(shape, true, backend.name);
    compare_after_measure(loaded, shape, {{1, 4, 7, 300, 601}, {0, 3, 8}, 3, Fit::squares});
    compare_after_measure(loaded, shape, {{}, {0, 1, 2, 5}, 2, Fit::squares});
  }
}

}  // namespace
}  // namespace accrete::backend
