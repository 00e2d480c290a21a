// The memory layout of a fit on a GPU; computing it needs no GPU.

#include "accrete/backend/cuda/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace accrete::cuda::cuda_layout_test {
namespace {

constexpr SolverSize solver{512, 4'000};
constexpr unsigned warps = 4;

LaunchShape shape_of(std::size_t rows, std::size_t width, std::size_t units, std::size_t outputs) {
  FitPlan plan{};
  plan.drawn_rows = static_cast<unsigned>(rows);
  plan.width = static_cast<unsigned>(width);
  plan.units = static_cast<unsigned>(units);
  plan.outputs = static_cast<unsigned>(outputs);
  DeviceRows data{};
  data.train_rows = static_cast<unsigned>(rows);
  data.test_rows = 10;
  data.target_count = 1;
  LaunchShape shape;
  shape.include(plan, data);
  return shape;
}

Layout layout_of(const LaunchShape& shape, std::size_t shared_bytes, bool general, std::size_t tile_bytes = 0) {
  return lay_out(shape, solver,
                 {.shared_bytes = shared_bytes, .warps = warps, .general = general, .tile_bytes = tile_bytes});
}

struct MemoryRange {
  std::size_t offset, bytes;
};

/// The ranges are aligned, do not overlap and end before `size`.
void expect_disjoint(std::vector<MemoryRange> ranges, std::size_t size) {
  std::ranges::sort(ranges, {}, &MemoryRange::offset);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(ranges[i].offset % 16, 0u);
    EXPECT_LE(ranges[i].offset + ranges[i].bytes, i + 1 < ranges.size() ? ranges[i + 1].offset : size) << i;
  }
}

std::vector<MemoryRange> vectors_of(const Layout& layout, const LaunchShape& shape) {
  const std::size_t n = shape.parameters(), moments = shape.units + 1;
  return {{layout.parameters, 8 * n},
          {layout.gradient, 8 * (n + 1)},
          {layout.gram, 8 * moments * moments},
          {layout.output_layer, 8 * moments * shape.outputs},
          {layout.step_scale, 8 * shape.outputs},
          {layout.hidden, 4 * shape.units * (shape.width + 1)},
          {layout.output, 4 * moments * shape.outputs},
          {layout.columns, 4 * shape.width}};
}

std::size_t thread_array_bytes(const LaunchShape& shape) {
  return static_cast<std::size_t>(ThreadArrayId::count) * 8 * warps * warp_lanes * shape.outputs;
}

TEST(CudaLayout, HasDisjointArrays) {
  for (const bool general : {false, true}) {
    const LaunchShape shape = shape_of(1'000, 30, 3, 12);
    const Layout layout = layout_of(shape, 200'000, general);
    ASSERT_TRUE(layout.vectors_shared);
    ASSERT_TRUE(layout.workspace_shared);
    auto shared = vectors_of(layout, shape);
    shared.push_back({0, sizeof(BlockState)});
    shared.push_back({layout.warp_sums, 8 * warps});
    shared.push_back({layout.solver_state, solver.state_bytes});
    shared.push_back({layout.solver_workspace, 8 * solver.workspace_doubles});
    expect_disjoint(shared, layout.shared_bytes);
    const std::size_t per_row = 2 * shape.units + 2 * shape.outputs + 1 + shape.targets;
    expect_disjoint({{layout.step_arrays, 4 * per_row * shape.drawn_rows},
                     {layout.scores, 4 * shape.outputs * shape.all_rows},
                     {layout.residuals, 4 * shape.outputs * shape.train_rows},
                     {layout.step_output, 4 * shape.outputs * shape.all_rows},
                     {layout.initial_weights, 8 * steps_per_draw * shape.parameters()}},
                    layout.fit_bytes);
    if (general) expect_disjoint({{layout.thread_arrays, thread_array_bytes(shape)}}, layout.block_bytes);
  }
}

/// A fixed kernel requires shared memory, and is not used if it is too small.
TEST(CudaLayout, MovesLargeVectorsOfAGeneralKernelToGlobalMemory) {
  const LaunchShape shape = shape_of(1'000, 5'000, 16, 26);
  const Layout fixed = layout_of(shape, 50'000, false), general = layout_of(shape, 50'000, true);
  EXPECT_TRUE(fixed.vectors_shared);
  EXPECT_GT(fixed.shared_bytes, 1'000'000u);
  EXPECT_FALSE(general.vectors_shared);
  EXPECT_LE(general.shared_bytes, 50'000u);
  auto in_block = vectors_of(general, shape);
  in_block.push_back({general.thread_arrays, thread_array_bytes(shape)});
  if (!general.workspace_shared) in_block.push_back({general.solver_workspace, 8 * solver.workspace_doubles});
  expect_disjoint(in_block, general.block_bytes);
}

/// General kernels read the weights of four units at a time.
TEST(CudaLayout, PadsUnitsToQuads) {
  const LaunchShape shape = shape_of(100, 7, 5, 1);
  const Layout layout = layout_of(shape, 200'000, true);
  EXPECT_GE(layout.output - layout.hidden, 4u * 8 * (7 + 1));
}

TEST(CudaLayout, AddsTilesIfTheyFit) {
  const std::size_t shared = 220'000;
  const Layout with = layout_of(shape_of(10'000, 54, 4, 1), shared, false, shared);
  EXPECT_EQ(with.tile_warps, warps);
  EXPECT_LE(with.tiles + with.tile_warps * with.tile_floats * 4, with.shared_bytes);
  EXPECT_LE(with.shared_bytes, shared);
  EXPECT_EQ(layout_of(shape_of(10'000, 54, 4, 1), shared, false).tile_warps, 0u);
  EXPECT_EQ(layout_of(shape_of(10'000, max_tile_features + 1, 4, 1), shared, false, shared).tile_warps, 0u);
}

}  // namespace
}  // namespace accrete::cuda::cuda_layout_test
