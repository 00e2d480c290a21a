#include "accrete/comm/row_exchange.hpp"

#include <gtest/gtest.h>

#include "accrete/comm/share_inputs.hpp"
#include "accrete/comm/threads.hpp"
#include "accrete/core/random.hpp"

namespace accrete::comm::row_exchange_test {
namespace {

/// Row r has the value 10 r.
std::vector<float> values_of(std::size_t first, std::size_t last) {
  std::vector<float> values;
  for (std::size_t r = first; r < last; ++r) values.push_back(10.0f * static_cast<float>(r));
  return values;
}

void expect_exchange(const std::vector<std::size_t>& list, const std::vector<std::size_t>& owned,
                     const std::vector<std::size_t>& wanted) {
  run_ranks(owned.size() - 1, [&](Communicator& comm) {
    const Share has{owned, comm.rank()}, wants{wanted, comm.rank()};
    const std::vector<float> own = values_of(has.first(), has.last());
    std::vector<float> taken, expected;
    RowExchange(has, list, wants).take<float>(comm, own, taken);
    for (std::size_t i = wants.first(); i < wants.last(); ++i) expected.push_back(10.0f * static_cast<float>(list[i]));
    EXPECT_EQ(taken, expected) << "rank " << comm.rank();
  });
}

TEST(RowExchange, GivesEachRankItsPartOfTheList) {
  expect_exchange({0, 1, 2, 3, 4, 5}, {0, 1, 2, 6}, {0, 2, 4, 6});
  expect_exchange({0, 1, 2, 3, 4, 5}, {0, 1, 2, 6}, {0, 0, 6, 6});  // some want none
  expect_exchange({5, 0, 4, 1, 3}, {0, 3, 6}, {0, 2, 5});           // any order, not all rows
  expect_exchange({}, {0, 3, 6}, {0, 0, 0});
}

TEST(RowExchange, TakesDrawnRowsOfUnequalShares) {
  core::Rng rng(3, 0, core::Purpose::rows);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t rows = 40 + rng.below(60), ranks = 2 + rng.below(3);
    std::vector<std::size_t> list = rng.choose(rows, rows / 2), owned{0}, wanted{0};
    rng.shuffle(std::span(list));
    for (std::size_t r = 1; r < ranks; ++r) {
      owned.push_back(owned.back() + 1 + rng.below((rows - owned.back()) / ranks));
      wanted.push_back(wanted.back() + rng.below(list.size() - wanted.back()));
    }
    owned.push_back(rows), wanted.push_back(list.size());
    expect_exchange(list, owned, wanted);
  }
}

TEST(ShareInputs, GivesAllRanksWhatEachHasLearnt) {
  std::vector<data::Input> all(5);
  all[0] = {.name = "a", .mean = 0.1, .scale = 3.0, .knots = {1.0f, 2.5f}, .bin_means = {0.5}, .bin_scales = {0.25}};
  all[1] = {
      .name = "b", .kind = data::Column::Kind::text, .gap_flag = true, .levels = {"", "x\ny"}, .shares = {0.4, 0.6}};
  all[4] = {.name = "e", .mean = -7.0};
  run_ranks(3, [&](Communicator& comm) {
    std::vector<data::Input> inputs;
    for (std::size_t i = 0; i < all.size(); ++i)
      inputs.push_back(i % 3 == comm.rank() ? all[i] : data::Input{.name = all[i].name, .kind = all[i].kind});
    share_inputs(inputs, comm);
    EXPECT_TRUE(inputs == all) << "rank " << comm.rank();
  });
}

}  // namespace
}  // namespace accrete::comm::row_exchange_test
