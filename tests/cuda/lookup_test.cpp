// Lookup tables on a GPU against the CPU's.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accrete/boosting/fit.hpp"
#include "accrete/comm/threads.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/backend/lookup_cases.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda::lookup_test {
namespace {

using backend::lookup_test::cases;
using backend::lookup_test::LookupCase;
using backend::lookup_test::MixedData;

class CudaLookup : public CudaTest {
 protected:
  std::vector<double> evaluate_on_device(const LookupCase& c, const MixedData& data) {
    const auto make = [&](const backend::TrainingProblem& problem) { return device_->make_rows(problem); };
    return evaluate_case(make, c, data, workers_);
  }

  core::Workers workers_{2};
};

TEST_F(CudaLookup, AgreesWithTheCpu) {
  const auto make_cpu = [](const backend::TrainingProblem& problem) { return backend::make_cpu_rows(problem); };
  const MixedData data = backend::lookup_test::mixed_data(workers_);
  for (const LookupCase& c : cases) {
    SCOPED_TRACE(std::to_string(c.units) + " units, " + c.loss);
    backend::lookup_test::expect_close(evaluate_on_device(c, data), evaluate_case(make_cpu, c, data, workers_));
  }
}

TEST_F(CudaLookup, GivesTheSameBitsAgain) {
  const MixedData data = backend::lookup_test::mixed_data(workers_);
  for (const LookupCase& c : cases) EXPECT_EQ(evaluate_on_device(c, data), evaluate_on_device(c, data)) << c.units;
}

/// Entries of more rows than one warp adds at a time, in more rows than one block of threads.
TEST_F(CudaLookup, FitsAsWellAsTheCpu) {
  struct Fit {
    const char* data;
    config::Config given;
  };
  const Fit fits[] = {{"friedman1", {.units = 64, .units_per_step = 16, .bins = 24}},
                      {"waveform", {.units = 64, .units_per_step = 8, .bins = 64}},
                      {"ringnorm", {.units = 64, .units_per_step = 16, .subsample = 0.5, .bins = 32}},
                      {"friedman1", {.units = 40, .units_per_step = 5, .bins = 32, .objective = "residual"}}};
  for (const auto& [name, given] : fits) {
    const FitSet set = make(name, full_or_small<std::size_t>(20'000, 2'000), "default", given, 1);
    ASSERT_TRUE(set.rows[0].train.features.has_wide_columns());
    const auto cpu = losses(set, 0, nullptr), gpu = losses(set, 0, device_.get());
    ASSERT_EQ(gpu.size(), cpu.size());
    EXPECT_LT(gpu.back(), 0.9 * gpu.front()) << name;
    EXPECT_NEAR(gpu.back() / cpu.back(), 1.0, 0.03) << name;
  }
}

/// Each rank evaluates its own rows on the GPU; with many ranks some have none. Columns with bins and plain features.
TEST_F(CudaLookup, RanksFitLikeOneProcess) {
  struct Fit {
    std::size_t rows, ranks;
    config::Config given;
  };
  const Fit fits[] = {{20'000, 3, {.units = 48, .units_per_step = 16, .bins = 32}},
                      {20'000, 2, {.units = 48, .units_per_step = 8}},
                      {300, 7, {.units = 16, .units_per_step = 4, .subsample = 0.2, .bins = 24}}};
  for (const auto& [rows, ranks, given] : fits) {
    const data::Table table = data::generator_named("friedman1").make(rows, 5);
    boosting::FitOptions options{.config = given};
    options.config.automatic = false;
    const double expected = boosting::fit(table, options).model.provenance.train_loss.back();
    std::vector<std::string> models(ranks);
    comm::run_ranks(ranks, [&](comm::Communicator& comm) {
      core::Workers one(1);
      std::vector<std::size_t> own;
      for (std::size_t r = comm.rank() * rows / ranks; r < (comm.rank() + 1) * rows / ranks; ++r) own.push_back(r);
      boosting::FitOptions on_rank = options;
      on_rank.workers = &one;
      on_rank.comm = &comm;
      on_rank.device = device_.get();
      const model::Model model = boosting::fit(data::take_rows(table, own), on_rank).model;
      EXPECT_NEAR(model.provenance.train_loss.back() / expected, 1.0, 0.03);
      models[comm.rank()] = io::serialise(model);
    });
    for (const std::string& model : models) EXPECT_TRUE(model == models.front()) << ranks << " ranks";
  }
}

}  // namespace
}  // namespace accrete::cuda::lookup_test
