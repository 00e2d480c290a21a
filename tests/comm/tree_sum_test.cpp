#include "accrete/comm/tree_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "accrete/comm/threads.hpp"
#include "accrete/core/random.hpp"

namespace accrete::comm::tree_sum_test {
namespace {

constexpr std::size_t count = 5, stride = 7;

/// The definition: split at the largest power of two below n.
double tree(const std::vector<double>& x, std::size_t first, std::size_t n) {
  if (n == 1) return x[first];
  std::size_t half = 1;
  while (2 * half < n) half *= 2;
  return tree(x, first, half) + tree(x, first + half, n - half);
}

std::vector<double> random_values(std::size_t chunks) {
  std::vector<double> values(chunks * stride);
  core::Rng rng(1, chunks, core::Purpose::rows);
  for (double& x : values) x = std::exp(20.0 * rng.uniform(-1.0, 1.0));  // so that every order rounds differently
  return values;
}

std::vector<double> expected_sums(const std::vector<double>& values) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> column;
    for (std::size_t c = 0; c < values.size() / stride; ++c) column.push_back(values[c * stride + i]);
    sums.push_back(tree(column, 0, column.size()));
  }
  return sums;
}

TEST(TreeSum, IsTheTreeForAnyNumberOfChunksAndRanks) {
  for (const std::size_t chunks : {1, 2, 3, 5, 8, 13, 32, 100, 977}) {
    const std::vector<double> values = random_values(chunks), expected = expected_sums(values);
    for (const std::size_t ranks : {1, 2, 3, 4, 7})
      run_ranks(ranks, [&](Communicator& comm) {
        const Share share = share_evenly(comm, chunks);
        TreeSum sum(comm, share);
        const auto sums = sum.add(values.data() + share.first() * stride, stride, count);
        EXPECT_TRUE(std::ranges::equal(sums, expected)) << chunks << " chunks, " << ranks << " ranks";
      });
  }
}

TEST(TreeSum, IsTheSameWhereverTheRanksAreDivided) {
  const std::vector<double> values = random_values(29), expected = expected_sums(values);
  const std::vector<std::vector<std::size_t>> divisions{{0, 0, 29}, {0, 29, 29}, {0, 1, 29}, {0, 7, 29}, {0, 28, 29}};
  for (const auto& starts : divisions)
    run_ranks(2, [&](Communicator& comm) {
      const Share share{starts, comm.rank()};
      TreeSum sum(comm, share);
      EXPECT_TRUE(std::ranges::equal(sum.add(values.data() + share.first() * stride, stride, count), expected));
    });
}

TEST(TreeSum, AddsFloatsInDouble) {
  const std::vector<float> values{1.0f, 1e-9f, 2.0f};
  TreeSum sum(one_process(), share_evenly(one_process(), 3));
  EXPECT_EQ(sum.add(values.data(), 1, 1)[0], (1.0 + static_cast<double>(1e-9f)) + 2.0);
}

TEST(TreeSum, SendsFewNodes) {
  run_ranks(7, [&](Communicator& comm) {
    const Share share = share_evenly(comm, 10'000);
    const std::vector<double> values(share.count(), 1.0);
    EXPECT_EQ(TreeSum(comm, share).add(values.data(), 1, 1)[0], 10'000.0);
    EXPECT_EQ(comm.traffic().messages, 1);
    EXPECT_LE(comm.traffic().bytes, 12 * sizeof(double));
  });
}

TEST(Share, IsEvenAndKnowsTheOwners) {
  run_ranks(7, [&](Communicator& comm) {
    for (const std::size_t items : {0, 1, 6, 7, 100, 977, 100'000}) {
      const Share share = share_evenly(comm, items);
      EXPECT_EQ(share.total(), items);
      EXPECT_LE(share.count(), items / 7 + items / 100 + 2);
      for (std::size_t i = share.first(); i < share.last(); i += 97) EXPECT_EQ(share.owner_of(i), comm.rank());
    }
  });
}

}  // namespace
}  // namespace accrete::comm::tree_sum_test
