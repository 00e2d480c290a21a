#include "accrete/serve/batcher.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/data/column_reader.hpp"
#include "accrete/model/predict_raw.hpp"
#include "tests/io/sample_model.hpp"
#include "tests/model/mixed_model.hpp"

namespace accrete::serve::batcher_test {
namespace {

core::Matrix<float> some_rows(std::size_t rows, float first) {
  core::Matrix<float> raw(rows, 2);
  for (float& x : raw.flat()) x = first += 0.25f;
  return raw;
}

TEST(PredictRaw, GivesTheBitsOfTheTable) {
  for (const std::size_t outputs : {1u, 3u}) {
    const model::Model model = model::mixed_model(outputs, "tanh");
    const data::Table table = model::mixed_rows(300);
    core::Workers workers(1);
    core::Matrix<float> raw(table.rows(), model.encoder.inputs().size());
    for (std::size_t i = 0; i < raw.cols(); ++i) {
      const data::Column& column = table.columns[table.require(model.encoder.inputs()[i].name)];
      const data::ColumnReader reader(model.encoder.inputs()[i], {table, column, {nullptr, table.rows()}});
      for (std::size_t r = 0; r < raw.rows(); ++r) raw(r, i) = reader.raw(r);
    }
    for (const std::size_t steps : {std::size_t{1}, model.network.steps()}) {
      const auto expected = model::predict(model, table, steps, workers);
      const auto all = model::predict_raw(model, raw, steps, workers);
      EXPECT_TRUE(std::ranges::equal(all.flat(), expected.flat()));
      for (std::size_t r = 0; r < raw.rows(); r += 37) {  // alone as in a batch
        const auto one = model::predict_raw(model, {raw.row(r).data(), 1, raw.cols()}, steps, workers);
        EXPECT_TRUE(std::ranges::equal(one.flat(), expected.row(r)));
      }
    }
  }
}

TEST(Batcher, GivesEachOfManyThreadsItsOwnRows) {
  const auto served = make_served_model("small", "1", "small", io::small_model());
  for (const std::size_t slots : {1u, 3u}) {
    Batcher batcher({.slots = slots, .max_batch_rows = 8});
    std::atomic<int> wrong{0};
    std::atomic<std::size_t> largest{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 12; ++t)
      threads.emplace_back([&, t] {
        core::Workers workers(1);
        for (int i = 0; i < 200; ++i) {
          const auto raw = some_rows(1 + (t + i) % 11, static_cast<float>(t - i % 7));
          const std::size_t steps = 1 + i % 2;
          const Prediction got = batcher.predict({.served = served, .raw = raw, .steps = steps});
          const auto expected = model::predict_raw(served->model, raw, steps, workers);
          if (!std::ranges::equal(got.values.flat(), expected.flat()) || got.steps != steps) ++wrong;
          if (got.batch_rows > std::max<std::size_t>(8, raw.rows())) ++wrong;
          largest = std::max(largest.load(), got.batch_rows);
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(batcher.waiting_rows(), 0u);
  }
}

TEST(Batcher, HandsAnErrorToItsRequestAndGoesOn) {
  const auto served = make_served_model("small", "1", "small", io::small_model());
  Batcher batcher({.slots = 1});
  const auto raw = some_rows(2, 0.0f);
  EXPECT_THROW(batcher.predict({.served = served, .raw = raw, .steps = 99}), core::UsageError);
  EXPECT_EQ(batcher.predict({.served = served, .raw = raw}).steps, 2u);
}

TEST(Batcher, UsesFewerUnitsWhenTheBudgetIsSpent) {
  const auto served = make_served_model("small", "1", "small", io::small_model());
  Batcher batcher({.slots = 1, .latency = 1e-9, .min_units = 1});
  const auto raw = some_rows(1000, 0.0f);
  batcher.predict({.served = served, .raw = raw});
  EXPECT_EQ(batcher.predict({.served = served, .raw = raw}).steps, 1u);
}

}  // namespace
}  // namespace accrete::serve::batcher_test
