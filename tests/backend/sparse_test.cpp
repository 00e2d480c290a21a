// Sparse features of the CPU backend against the reference, which reads every feature of a row.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "tests/data/sparse_tables.hpp"

namespace accrete::backend::sparse_test {
namespace {

constexpr std::size_t few_rows = 900, columns = 30;

enum class OtherColumns { none, dense, lookup };

/// Sparse columns, alone or among dense ones or a category of 30 levels.
data::Dataset sparse_data(core::Workers& workers, OtherColumns others, std::size_t rows = few_rows) {
  data::Table table{"random", {}};
  table.add_sparse(data::random_sparse(rows, columns, 0.1));
  core::Rng rng(3, 0, core::Purpose::generator);
  if (others != OtherColumns::none) {
    data::Column number{.name = "n"};
    for (std::size_t r = 0; r < rows; ++r) number.numbers.push_back(static_cast<float>(rng.normal()));
    table.columns.insert(table.columns.begin() + 7, std::move(number));
  }
  if (others == OtherColumns::lookup) {
    data::Column category{.name = "c", .kind = data::Column::Kind::text};
    for (std::size_t l = 0; l < 30; ++l) category.levels.push_back("level " + std::to_string(l));
    for (std::size_t r = 0; r < rows; ++r) category.codes.push_back(static_cast<std::int32_t>(rng.below(30)));
    table.columns.insert(table.columns.begin() + 12, std::move(category));
  }
  std::vector<std::size_t> all(rows), inputs(table.columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::iota(inputs.begin(), inputs.end(), std::size_t{0});
  data::Dataset data;
  data.targets = core::Matrix<double>(rows, 1);
  for (std::size_t r = 0; r < rows; ++r) data.targets(r, 0) = static_cast<double>(rng.below(3));
  const std::span<const std::size_t> parts[] = {all};
  const auto encoder = data::Encoder::fit(table, inputs, {all});
  data.features = std::move(data::encode_subsets(encoder, {table}, parts, workers).front());
  for (std::size_t r = 0; r < rows; ++r) data.weights.push_back(static_cast<double>(rng.below(4)) + (r == 0));
  return data;
}

/// The same features, every one of them a stored column.
data::Dataset densified(const data::Dataset& from) {
  core::TiledMatrix stored(from.rows(), from.features.cols());
  for (std::size_t r = 0; r < from.rows(); ++r)
    for (std::size_t f = 0; f < from.features.cols(); ++f) stored.at(r, f) = from.features.at(r, f);
  data::Dataset data = from;
  data.features = data::Features(std::move(stored));
  return data;
}

struct Case {
  StepObjective objective;
  const char* loss;
  std::size_t units, outputs;
  bool subset;  ///< half of the rows and features
};

constexpr Case cases[] = {
    {StepObjective::squared_error, "squared", 1, 1, false}, {StepObjective::squared_error, "squared", 4, 1, true},
    {StepObjective::loss, "softmax", 3, 3, false},          {StepObjective::loss, "softmax", 17, 3, true},
    {StepObjective::loss, "squared", 6, 1, true},           {StepObjective::projected, "squared", 4, 1, false},
    {StepObjective::projected, "squared", 16, 1, true},     {StepObjective::projected, "squared", 2, 1, false}};

struct Fixture {
  Fixture(const char* backend, const Case& c, const data::Dataset& data, core::Workers& workers)
      : resident(backend_named(backend).make({.dataset = data,
                                              .outputs = c.outputs,
                                              .loss = loss::Loss::named(c.loss),
                                              .activation = activation::Activation::named("tanh"),
                                              .workers = workers})) {
    resident->reset_scores(std::vector<double>(c.outputs, 0.1));
    resident->compute_residuals(false);
    const std::size_t count = data.features.cols();
    features = core::Rng(5, c.units, core::Purpose::features).choose(count, c.subset ? count / 2 : count);
    drawn = core::Rng(5, c.units, core::Purpose::rows).choose(data.rows(), data.rows() / 2);
    resident->set_view({.rows = c.subset ? std::span<const std::size_t>(drawn) : std::span<const std::size_t>(),
                        .features = features,
                        .units = c.units,
                        .objective = c.objective,
                        .alpha = 0.1});
    const BlockShape shape{features.size(), c.units, c.outputs};
    point.resize(c.objective == StepObjective::projected ? shape.hidden_size() : shape.size());
    core::Rng rng(7, c.units, core::Purpose::weights);
    for (double& p : point) p = 0.3 * rng.normal();
  }

  /// Value, then gradient, at a random point.
  std::vector<double> evaluate() {
    std::vector<double> gradient(point.size()), result;
    result.push_back(resident->evaluate(point, gradient));
    result.insert(result.end(), gradient.begin(), gradient.end());
    return result;
  }

  std::unique_ptr<TrainingRows> resident;
  std::vector<std::size_t> features, drawn;
  std::vector<double> point;
};

std::vector<double> evaluate(const char* backend, const Case& c, const data::Dataset& data, core::Workers& workers) {
  return Fixture(backend, c, data, workers).evaluate();
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  double largest = 0.0;
  for (const double x : wanted) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(found[i], wanted[i], tolerance * largest) << i;
}

TEST(SparseBackend, AgreesWithTheReference) {
  core::Workers workers(2);
  for (const OtherColumns others : {OtherColumns::none, OtherColumns::dense, OtherColumns::lookup}) {
    const data::Dataset data = sparse_data(workers, others);
    for (const Case& c : cases) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(others) << ' ' << c.units << ' ' << c.loss);
      expect_near(evaluate("cpu", c, data, workers), evaluate("reference", c, data, workers), 1e-5);
    }
  }
}

/// Absent entries add nothing to a hidden unit's sum, so its bits are those of dense kernels; sums over rows round
/// differently.
TEST(SparseBackend, AgreesWithDenseKernels) {
  core::Workers one(1);
  const data::Dataset data = sparse_data(one, OtherColumns::none), dense = densified(data);
  for (const Case& c : cases) {
    expect_near(evaluate("cpu", c, data, one), evaluate("cpu", c, dense, one), 2e-6);
    Fixture a("cpu", c, data, one), b("cpu", c, dense, one);
    network::Block block;
    block.units = c.units, block.outputs = c.outputs, block.features = a.features;
    core::Rng rng(8, 0, core::Purpose::weights);
    const auto draw = [&](std::vector<float>& values, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(0.3 * rng.normal()));
    };
    draw(block.hidden_weights, c.units * a.features.size());
    draw(block.hidden_bias, c.units);
    draw(block.output_weights, c.units * c.outputs);
    block.output_bias.assign(c.outputs, 0.5);
    const std::vector<double> bias(c.outputs, 0.6);
    a.resident->add_block(block, bias), b.resident->add_block(block, bias);
    const core::Matrix<double> found = a.resident->scores(), wanted = b.resident->scores();
    EXPECT_TRUE(std::ranges::equal(found.flat(), wanted.flat()));
    EXPECT_EQ(a.resident->mean_loss_after(block), b.resident->mean_loss_after(block));
  }
}

TEST(SparseBackend, BitsDoNotDependOnTheNumberOfThreads) {
  core::Workers one(1), three(3);
  for (const OtherColumns others : {OtherColumns::none, OtherColumns::lookup}) {
    const data::Dataset data = sparse_data(one, others);
    for (const Case& c : cases) EXPECT_EQ(evaluate("cpu", c, data, one), evaluate("cpu", c, data, three));
  }
}

/// Sixteen chunks of rows: the threads share the columns of the gradient too.
TEST(SparseBackend, SharesColumnsOfTheGradientBetweenThreads) {
  core::Workers one(1), three(3);
  const data::Dataset data = sparse_data(one, OtherColumns::none, 16 * 1024);
  for (const std::size_t units : {4, 17}) {
    const Case c{StepObjective::squared_error, "squared", units, 1, false};
    EXPECT_EQ(evaluate("cpu", c, data, three), evaluate("cpu", c, data, one)) << units;
  }
}

TEST(SparseBackend, HasTheCurvatureOfTheReference) {
  core::Workers one(1);
  const Case c{StepObjective::projected, "squared", 2, 1, false};
  for (const OtherColumns others : {OtherColumns::none, OtherColumns::dense}) {
    const data::Dataset data = sparse_data(one, others);
    std::vector<std::vector<double>> matrices;
    for (const char* backend : {"cpu", "reference"}) {
      Fixture fixture(backend, c, data, one);
      fixture.evaluate();
      std::vector<double> matrix(fixture.point.size() * fixture.point.size(), 0.0);
      fixture.resident->curvature(matrix);
      fixture.evaluate();  // the view is the same after it
      matrices.push_back(std::move(matrix));
    }
    expect_near(matrices[0], matrices[1], 1e-5);
  }
}

}  // namespace
}  // namespace accrete::backend::sparse_test
