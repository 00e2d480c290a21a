#include "accrete/explain/contributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/model/link.hpp"
#include "accrete/network/forward.hpp"
#include "tests/explain/reference.hpp"
#include "tests/model/mixed_model.hpp"
#include "tests/model/plain_models.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::explain::contributions_test {
namespace {

using model::mixed_model;
using model::mixed_rows;
using model::Model;

core::Workers& workers() {
  static core::Workers one(1);
  return one;
}

/// Only the inputs without bins and levels, so that the dense weights are used.
Model dense_model(std::size_t outputs, const char* activation) {
  Model model = mixed_model(outputs, activation);
  auto inputs = model::mixed_inputs();
  std::erase_if(inputs, [](const data::Input& input) {
    return !input.knots.empty() || input.levels.size() > 3 || input.name == "few";
  });
  model.encoder = data::Encoder(inputs);
  model.network = network::random_network(model.encoder.features(), outputs, 53, activation);
  return model;
}

/// Calls check(model) for dense weights and lookup tables, every activation, and 1 and 3 outputs.
template <class Check>
void for_all_models(Check&& check) {
  for (const char* activation : activation::All::names)
    for (const std::size_t outputs : {1, 3})
      for (const bool tables : {false, true}) {
        SCOPED_TRACE(std::string(activation) + (tables ? ", tables, " : ", dense, ") + std::to_string(outputs));
        const Model model = tables ? mixed_model(outputs, activation) : dense_model(outputs, activation);
        ASSERT_EQ(model::tables_of(model) != nullptr, tables);
        check(model);
      }
}

TEST(Contributions, AgreeWithTheFormulaInDouble) {
  const data::Table table = mixed_rows(70);
  for_all_models([&](const Model& model) {
    const core::TiledMatrix features = model.encoder.encode(table);
    for (const std::size_t steps : {std::size_t{0}, std::size_t{1}, std::size_t{7}, model.network.steps()}) {
      const Contributions all = contributions(model, table, steps, workers());
      ASSERT_EQ(all.columns, model.encoder.inputs().size());
      for (std::size_t r = 0; r < all.rows; ++r) {
        const ReferenceRow row(model, features, r, steps);
        for (std::size_t k = 0; k < all.outputs; ++k)
          for (std::size_t c = 0; c < all.columns; ++c)
            ASSERT_NEAR(all(r, c, k), row.contribution(c, k), row.tolerance(k))
                << "steps " << steps << ", row " << r << ", " << all.column_names[c];
      }
    }
  });
}

TEST(Contributions, SumToTheScoreAtEveryPrefix) {
  const data::Table table = mixed_rows(40);
  for_all_models([&](const Model& model) {
    const core::TiledMatrix features = model.encoder.encode(table);
    for (std::size_t steps = 0; steps <= model.network.steps(); ++steps) {
      const Contributions all = contributions(model, table, steps, workers());
      const auto scores = network::forward(model.network, features, steps, workers());
      for (std::size_t r = 0; r < all.rows; ++r)
        for (std::size_t k = 0; k < all.outputs; ++k)
          ASSERT_NEAR(all.score(r, k), scores(r, k), ReferenceRow(model, features, r, steps).tolerance(k));
    }
  });
}

TEST(Contributions, AreTheIntegralOfTheGradient) {
  const data::Table table = mixed_rows(2);
  for_all_models([&](const Model& model) {
    const std::size_t steps = model.network.steps();
    const core::TiledMatrix features = model.encoder.encode(table);
    const Contributions all = contributions(model, table, steps, workers());
    for (std::size_t r = 0; r < all.rows; ++r)
      for (std::size_t c = 0; c < all.columns; ++c) {
        const ReferenceRow row(model, features, r, steps);
        ASSERT_NEAR(all(r, c, 0), row.integral(c, 0, 1'000), 600.0 * row.tolerance(0)) << all.column_names[c];
      }
  });
}

/// Four standardised columns.
Model small_model(const char* activation) {
  Model model = mixed_model(1, activation);
  model.encoder = data::Encoder({{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}});
  model.network = network::random_network(4, 1, 8, activation);
  return model;
}

/// The model with only the weights for which keep(unit, feature) is true.
template <class Keep>
Model keep_weights(Model model, Keep&& keep) {
  const network::Network& from = model.network;
  const auto copy = [](auto span) { return std::vector(span.begin(), span.end()); };
  network::Network::Arrays arrays{.activation = from.activation(),
                                  .features = from.features(),
                                  .outputs = from.outputs(),
                                  .step_ends = copy(from.step_ends()),
                                  .hidden_weights = copy(from.hidden_weights()),
                                  .hidden_bias = copy(from.hidden_bias()),
                                  .output_weights = copy(from.output_weights()),
                                  .prefix_bias = copy(from.prefix_bias())};
  for (std::size_t i = 0; i < arrays.hidden_weights.size(); ++i)
    if (!keep(i / arrays.features, i % arrays.features)) arrays.hidden_weights[i] = 0.0f;
  model.network = network::Network(std::move(arrays));
  return model;
}

TEST(Contributions, AreShapleyValuesOfAnAdditiveModel) {
  for (const char* activation : activation::All::names) {
    const Model model =
        keep_weights(small_model(activation), [](std::size_t unit, std::size_t f) { return f == unit % 4; });
    const core::TiledMatrix rows = network::random_rows(20, 4);
    const auto raw = [&] {
      core::Matrix<float> matrix(20, 4);
      for (std::size_t i = 0; i < 80; ++i) matrix(i / 4, i % 4) = rows.at(i / 4, i % 4);
      return matrix;
    }();
    const std::size_t steps = model.network.steps();
    const Contributions all = contributions(model, core::MatrixView<const float>(raw), steps, workers());
    for (std::size_t r = 0; r < 20; ++r)
      for (std::size_t c = 0; c < 4; ++c) {
        const ReferenceRow row(model, rows, r, steps);
        ASSERT_NEAR(all(r, c, 0), row.shapley(c, 0), row.tolerance(0)) << activation;
      }
  }
}

TEST(Contributions, AreExactlyZeroForAColumnThatNoUnitUses) {
  const data::Table table = mixed_rows(50);
  for_all_models([&](const Model& any) {
    for (const std::size_t column : {std::size_t{0}, std::size_t{1}, std::size_t{2}, any.encoder.inputs().size() - 1}) {
      const data::ColumnEncoding& unused = any.encoder.columns()[column];
      const Model model = keep_weights(
          any, [&](std::size_t, std::size_t f) { return f < unused.first() || f >= unused.first() + unused.width(); });
      const Contributions all = contributions(model, table, model.network.steps(), workers());
      for (std::size_t r = 0; r < all.rows; ++r)
        for (std::size_t k = 0; k < all.outputs; ++k) {
          ASSERT_EQ(all(r, column, k), 0.0);
          ASSERT_FALSE(std::signbit(all(r, column, k)));
        }
    }
  });
}

/// Columns that cancel in a unit contribute by the derivative, which a quotient of differences in float would miss.
TEST(Contributions, AreAccurateWhereColumnsCancel) {
  for (const char* activation : activation::All::names)
    for (const double rest : {0.0, 1e-7, 1e-5, 1e-3, 0.009, 0.011}) {
      network::Network::Arrays arrays{.activation = activation::Activation::named(activation),
                                      .features = 2,
                                      .outputs = 1,
                                      .step_ends = {1},
                                      .hidden_weights = {1.0f, 1.0f},
                                      .hidden_bias = {0.3f},
                                      .output_weights = {1.0f},
                                      .prefix_bias = {0.0, 0.0}};
      Model model = mixed_model(1, activation);
      model.encoder = data::Encoder({{.name = "a"}, {.name = "b"}});
      model.network = network::Network(std::move(arrays));
      core::TiledMatrix rows(1, 2);
      rows.at(0, 0) = 50.0f, rows.at(0, 1) = static_cast<float>(-50.0 + rest);
      const core::Matrix<float> raw = [&] {
        core::Matrix<float> matrix(1, 2);
        matrix(0, 0) = rows.at(0, 0), matrix(0, 1) = rows.at(0, 1);
        return matrix;
      }();
      const Contributions all = contributions(model, core::MatrixView<const float>(raw), 1, workers());
      const double wanted = ReferenceRow(model, rows, 0, 1).contribution(0, 0);
      EXPECT_NEAR(all(0, 0, 0), wanted, 1e-5 * std::abs(wanted)) << activation << ", " << rest;
    }
}

TEST(Contributions, StayFiniteForNumbersFarOut) {
  data::Table table = mixed_rows(40);
  for (std::size_t r = 0; r < 40; ++r) {
    const double magnitude = std::min(std::pow(10.0, static_cast<double>(r)), 3e38);
    table.columns[r % 4].numbers[r] = static_cast<float>(r % 3 == 0 ? -magnitude : magnitude);
  }
  for_all_models([&](const Model& model) {
    if (model.network.activation() == activation::Activation::named("relu")) return;  // its scores overflow
    const Contributions all = contributions(model, table, model.network.steps(), workers());
    EXPECT_TRUE(std::ranges::all_of(all.values, [](double value) { return std::isfinite(value); }));
    const auto scores = model::predict(model, table, model.network.steps(), workers());
    for (std::size_t r = 0; r < all.rows; ++r) ASSERT_NEAR(all.score(r, 0), scores(r, 0), 1e-4) << r;
  });
}

TEST(Contributions, AreInTheTargetsUnits) {
  const data::Table table = mixed_rows(30);
  Model model = mixed_model(2, "tanh");
  const Contributions plain = contributions(model, table, 5, workers());
  model.target_shift = {10.0, -3.0};
  model.target_scale = {4.0, 0.5};
  const Contributions scaled = contributions(model, table, 5, workers());
  const auto predictions = model::predict(model, table, 5, workers());
  for (std::size_t r = 0; r < 30; ++r)
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(scaled(r, 3, k), model.target_scale[k] * plain(r, 3, k));
      EXPECT_NEAR(scaled.score(r, k), predictions(r, k), 1e-4);
    }
}

TEST(Contributions, OfClassesAndCountsAreScoresBeforeTheLink) {
  const data::Table table = mixed_rows(30);
  for (const auto& [loss, outputs] : {std::pair{"logistic", 1u}, {"softmax", 3u}, {"poisson", 1u}}) {
    Model model = mixed_model(outputs, "logistic");
    model.loss = loss::Loss::named(loss);
    model.target_shift.clear(), model.target_scale.clear();
    const Contributions all = contributions(model, table, 4, workers());
    core::Matrix<double> scores(all.rows, outputs);
    for (std::size_t r = 0; r < all.rows; ++r)
      for (std::size_t k = 0; k < outputs; ++k) scores(r, k) = all.score(r, k);
    const auto wanted = model::predict(model, table, 4, workers()), given = model::apply_link(model, scores);
    for (std::size_t i = 0; i < wanted.flat().size(); ++i)
      EXPECT_NEAR(given.flat()[i], wanted.flat()[i], 1e-4 * std::max(1.0, wanted.flat()[i])) << loss;
  }
}

TEST(Contributions, OfAPrefixAreThoseOfTheCutModel) {
  const data::Table table = mixed_rows(30);
  for_all_models([&](const Model& model) {
    Model cut = model;
    cut.network.truncate(6);
    const Contributions prefix = contributions(model, table, 6, workers()),
                        whole = contributions(cut, table, 6, workers());
    EXPECT_EQ(prefix.values, whole.values);
    EXPECT_EQ(prefix.baseline, whole.baseline);
  });
}

TEST(Contributions, SumTheInputsOfADate) {
  Model model = mixed_model(1, "tanh");
  auto inputs = model::mixed_inputs();
  const Contributions apart = contributions(model, mixed_rows(30), 5, workers());
  for (const std::size_t i : {1, 3}) inputs[i].format = {.order = data::DateOrder::ymd, .column = "day"};
  model.encoder = data::Encoder(inputs);
  const Contributions joined = contributions(model, mixed_rows(30), 5, workers());
  ASSERT_EQ(joined.columns, apart.columns - 1);
  EXPECT_EQ(joined.column_names[1], "day");
  EXPECT_EQ(joined.column_names[2], "binned");
  for (std::size_t r = 0; r < 30; ++r) EXPECT_NEAR(joined(r, 1, 0), apart(r, 1, 0) + apart(r, 3, 0), 1e-12);
}

TEST(Contributions, BitsDependNeitherOnTheBatchNorOnTheThreads) {
  const data::Table table = mixed_rows(1'500);
  core::Workers three(3);
  for_all_models([&](const Model& model) {
    const std::size_t steps = model.network.steps();
    const Contributions all = contributions(model, table, steps, workers());
    EXPECT_EQ(all.values, contributions(model, table, steps, three).values);
    data::Table last = table;
    for (data::Column& column : last.columns) {
      if (!column.numbers.empty()) column.numbers.erase(column.numbers.begin(), column.numbers.end() - 3);
      if (!column.codes.empty()) column.codes.erase(column.codes.begin(), column.codes.end() - 3);
    }
    const Contributions few = contributions(model, last, steps, workers());
    EXPECT_TRUE(std::ranges::equal(few.row(2), all.row(1'499)));
  });
}

TEST(Contributions, RefuseWhatPredictRefuses) {
  data::Table table = mixed_rows(3'000);
  table.columns[0].numbers[2'222] = table.columns[0].numbers[1'111] = std::numeric_limits<float>::infinity();
  for_all_models([&](const Model& model) {
    EXPECT_EQ(thrown_message<core::DataError>([&] { contributions(model, table, 1, workers()); }),
              thrown_message<core::DataError>([&] { model::predict(model, table, 1, workers()); }));
    EXPECT_THROW(contributions(model, table, model.network.steps() + 1, workers()), core::UsageError);
    const float number = 0.0f;
    EXPECT_THROW(contributions(model, core::MatrixView<const float>{&number, 1, 1}, 1, workers()), core::UsageError);
  });
  EXPECT_THROW(contributions(model::plain_network(), table, 0, workers()), core::UsageError);
}

TEST(Contributions, NameTheOutputs) {
  Model model = mixed_model(1, "tanh");
  model.targets = {"price"};
  EXPECT_EQ(output_names(model), std::vector<std::string>{"price"});
  model.classes = {"no", "yes"};
  EXPECT_EQ(output_names(model), std::vector<std::string>{"yes"});
  model = mixed_model(3, "tanh");
  model.targets = {"colour"};
  model.classes = {"blue", "green", "red"};
  EXPECT_EQ(output_names(model), model.classes);
}

}  // namespace
}  // namespace accrete::explain::contributions_test
