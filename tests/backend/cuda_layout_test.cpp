// Where a fit's numbers lie in the memory of a GPU; no GPU is needed to plan it.

#include "accrete/backend/cuda/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace accrete::cuda {
namespace {

constexpr SolverRoom solver{512, 4'000};

Extent extent_of(std::size_t rows, std::size_t width, std::size_t units, std::size_t outputs) {
  FitPlan plan{};
  plan.drawn = static_cast<unsigned>(rows);
  plan.width = static_cast<unsigned>(width);
  plan.units = static_cast<unsigned>(units);
  plan.outputs = static_cast<unsigned>(outputs);
  DeviceRows data{};
  data.train = static_cast<unsigned>(rows);
  data.test = 10;
  data.targets_count = 1;
  Extent extent;
  extent.include(plan, data);
  return extent;
}

/// From, and how many bytes are needed there.
struct Piece {
  std::size_t from, bytes;
};

void expect_apart(std::vector<Piece> pieces, std::size_t all) {
  std::ranges::sort(pieces, {}, &Piece::from);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].from % 16, 0u);
    EXPECT_LE(pieces[i].from + pieces[i].bytes, i + 1 < pieces.size() ? pieces[i + 1].from : all) << i;
  }
}

std::vector<Piece> vectors_of(const Layout& at, const Extent& e) {
  const std::size_t n = e.parameters(), moments = e.units + 1;
  return {{at.parameters, 8 * n},
          {at.gradient, 8 * (n + 1)},
          {at.gram, 8 * moments * moments},
          {at.output_layer, 8 * moments * e.outputs},
          {at.step_scale, 8 * e.outputs},
          {at.hidden, 4 * e.units * (e.width + 1)},
          {at.output, 4 * moments * e.outputs},
          {at.columns, 4 * e.width}};
}

TEST(CudaLayout, PiecesDoNotOverlap) {
  for (const bool general : {false, true}) {
    const Extent e = extent_of(1'000, 30, 3, 12);
    const Layout at = lay_out(e, solver, {200'000, 0, 4, general});
    ASSERT_TRUE(at.vectors_shared);
    ASSERT_TRUE(at.workspace_shared);
    auto shared = vectors_of(at, e);
    shared.push_back({0, sizeof(Work)});
    shared.push_back({at.sums, 8 * 4});
    shared.push_back({at.solver, solver.state});
    shared.push_back({at.workspace, 8 * solver.workspace});
    expect_apart(shared, at.shared_bytes);
    const std::size_t row = 2 * e.units + 2 * e.outputs + 1 + e.targets;
    expect_apart({{at.step_rows, 4 * row * e.drawn},
                  {at.scores, 4 * e.outputs * e.all},
                  {at.residuals, 4 * e.outputs * e.train},
                  {at.moves, 4 * e.outputs * e.all},
                  {at.initial, 8 * draw_ahead * e.parameters()}},
                 at.global_bytes);
    if (general) expect_apart({{at.slots, slot_count * 8 * 128 * e.outputs}}, at.own_bytes);
  }
}

/// Of a general fit alone: another one counts on shared memory, and is refused where it is too small.
TEST(CudaLayout, WhatIsTooLargeForSharedMemoryLiesElsewhere) {
  const Extent e = extent_of(1'000, 5'000, 16, 26);
  const Layout fixed = lay_out(e, solver, {50'000, 0, 4, false}), general = lay_out(e, solver, {50'000, 0, 4, true});
  EXPECT_TRUE(fixed.vectors_shared);
  EXPECT_GT(fixed.shared_bytes, 1'000'000u);
  EXPECT_FALSE(general.vectors_shared);
  EXPECT_LE(general.shared_bytes, 50'000u);
  auto own = vectors_of(general, e);
  own.push_back({general.slots, slot_count * 8 * 128 * e.outputs});
  if (!general.workspace_shared) own.push_back({general.workspace, 8 * solver.workspace});
  expect_apart(own, general.own_bytes);
}

/// Weights of a general fit are read four units at a time.
TEST(CudaLayout, UnitsAreFilledUpToFours) {
  const Extent e = extent_of(100, 7, 5, 1);
  const Layout at = lay_out(e, solver, {200'000, 0, 4, true});
  EXPECT_GE(at.output - at.hidden, 4u * 8 * (7 + 1));
}

}  // namespace
}  // namespace accrete::cuda
