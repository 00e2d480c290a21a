// A fit across ranks gives the bytes of a fit in one process.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/comm/table_share.hpp"
#include "accrete/comm/threads.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::shared_fit_test {
namespace {

constexpr std::size_t few = 700, many = max_gathered_rows + 3'600;

/// Numbers, numbers with gaps, a category, weights with zeros, an offset, and targets of all kinds.
data::Table make_table(std::size_t rows) {
  core::Rng rng(7, rows, core::Purpose::rows);
  data::Table table{"rows", {}};
  for (const char* name : {"a", "b", "weight", "offset", "number", "second", "count", "share"})
    table.columns.push_back({.name = name, .numbers = core::FloatColumn(rows)});
  auto column = [&](const char* name) -> core::FloatColumn& { return table.columns[*table.find(name)].numbers; };
  data::Column colour{.name = "colour", .kind = data::Column::Kind::text, .levels = {"red", "green", "blue", "grey"}};
  data::Column kind{.name = "kind", .kind = data::Column::Kind::text, .levels = {"x", "y", "z"}};
  data::Column side{.name = "side", .kind = data::Column::Kind::text, .levels = {"left", "right"}};
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.uniform(-1.0, 1.0), b = rng.uniform(0.0, 3.0);
    const auto level = static_cast<std::int32_t>(rng.uniform() * 5.0) - 1;  // -1: missing
    const double y = std::sin(3.0 * a) + b * 0.3 + 0.2 * level + rng.uniform(-0.1, 0.1);
    column("a")[r] = static_cast<float>(a);
    column("b")[r] = rng.uniform() < 0.1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(b);
    column("weight")[r] = static_cast<float>(static_cast<int>(rng.uniform() * 20.0)) * 0.5f;
    column("offset")[r] = static_cast<float>(0.1 * a);
    column("number")[r] = static_cast<float>(y);
    column("second")[r] = static_cast<float>(a * b);
    column("count")[r] = static_cast<float>(std::floor(std::exp(y)));
    column("share")[r] = static_cast<float>(1.0 / (1.0 + std::exp(-y)));
    colour.codes.push_back(level);
    kind.codes.push_back(y < 0.2 ? 0 : y < 0.8 ? 1 : 2);
    side.codes.push_back(y < 0.4 ? 0 : 1);
  }
  for (data::Column* text : {&colour, &kind, &side}) table.columns.push_back(std::move(*text));
  return table;
}

struct Case {
  std::string name;
  std::vector<std::string> targets;
  std::function<void(FitOptions&)> set = {};
};

/// The targets that are not used are no inputs.
FitOptions options_of(const Case& c) {
  FitOptions options;
  options.targets = c.targets;
  options.config.automatic = false;
  options.config.units = 6;
  options.config.units_per_step = 2;
  options.config.max_iter = 5;
  options.ignore = {"weight", "offset", "number", "second", "count", "share", "kind", "side"};
  if (c.set) c.set(options);
  std::erase_if(options.ignore, [&](const std::string& name) {
    return name == options.weight_column || name == options.offset_column ||
           std::ranges::find(c.targets, name) != c.targets.end();
  });
  return options;
}

std::string fit_alone(const data::Table& table, FitOptions options, std::size_t threads = 1) {
  core::Workers workers(threads);
  options.workers = &workers;
  return io::serialise(fit(table, options).model);
}

/// The rows of a rank; ranks have different numbers of rows.
data::Table rows_of(const data::Table& table, const comm::Communicator& comm) {
  const auto start = [&](std::size_t rank) {
    const double share = static_cast<double>(rank) / static_cast<double>(comm.size());
    return static_cast<std::size_t>(std::pow(share, 1.3) * static_cast<double>(table.rows()));
  };
  std::vector<std::size_t> rows;
  for (std::size_t r = start(comm.rank()); r < start(comm.rank() + 1); ++r) rows.push_back(r);
  return data::take_rows(table, rows);
}

std::vector<std::string> fit_on_ranks(const data::Table& table, const FitOptions& given, std::size_t ranks,
                                      std::size_t threads, const Observer& observer = {}) {
  std::vector<std::string> models(ranks);
  comm::run_ranks(ranks, [&](comm::Communicator& comm) {
    core::Workers workers(threads);
    FitOptions options = given;
    options.workers = &workers;
    options.comm = &comm;
    models[comm.rank()] = io::serialise(fit(rows_of(table, comm), options, observer).model);
  });
  return models;
}

void expect_same_bytes(const data::Table& table, const Case& c, std::span<const std::size_t> rank_counts) {
  const FitOptions options = options_of(c);
  const std::string expected = fit_alone(table, options);
  for (const std::size_t ranks : rank_counts)
    for (const std::size_t threads : {1, 2})
      for (const std::string& model : fit_on_ranks(table, options, ranks, threads))
        EXPECT_TRUE(model == expected) << c.name << ", " << table.rows() << " rows, " << ranks << " ranks, " << threads
                                       << " threads";
}

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"regression", {"number"}},
      {"binary", {"side"}},
      {"classes", {"kind"}},
      {"several targets", {"number", "second"}},
      {"weights", {"number"}, [](FitOptions& o) { o.weight_column = "weight"; }},
      {"offset", {"number"}, [](FitOptions& o) { o.offset_column = "offset"; }},
      {"bins", {"side"}, [](FitOptions& o) { o.config.bins = 8; }},
      {"lookup tables", {"number"}, [](FitOptions& o) { o.config.bins = 32; }},
      {"lookup tables of classes", {"kind"}, [](FitOptions& o) { o.config.bins = 32; }},
      {"drawn features", {"number"}, [](FitOptions& o) { o.config.feature_fraction = 0.5; }},
      {"drawn rows", {"number"}, [](FitOptions& o) { o.config.subsample = 0.3; }},
      {"drawn rows with lookup tables",
       {"kind"},
       [](FitOptions& o) {
         o.config.subsample = 0.3;
         o.config.bins = 32;
       }},
      {"mini-batches",
       {"side"},
       [](FitOptions& o) {
         o.config.solver = "adam";
         o.config.max_iter = 1;
         o.config.batch_size = 5'000;
       }},
      {"balanced", {"kind"}, [](FitOptions& o) { o.config.class_weight = config::ClassWeights{.balanced = true}; }},
      {"huber", {"number"}, [](FitOptions& o) { o.config.loss = "huber"; }},
      {"quantile", {"number"}, [](FitOptions& o) { o.config.loss = "quantile"; }},
      {"poisson", {"count"}, [](FitOptions& o) { o.config.loss = "poisson"; }},
      {"cross entropy", {"share"}, [](FitOptions& o) { o.config.loss = "cross_entropy"; }},
      {"residual", {"side"}, [](FitOptions& o) { o.config.objective = "residual"; }},
      {"direct", {"number"}, [](FitOptions& o) { o.config.objective = "direct"; }},
      {"early stopping",
       {"side"},
       [](FitOptions& o) {
         o.config.validation_fraction = 0.2;
         o.config.patience = 4;
         o.config.metric = "auc";
       }},
      {"interval", {"number"}, [](FitOptions& o) { o.config.interval = 0.9; }},
      {"sets of classes", {"kind"}, [](FitOptions& o) { o.config.interval = 0.9; }},
      {"held-out loss", {"number"}, [](FitOptions& o) { o.config.validation_fraction = 0.3; }},
  };
  return list;
}

TEST(SharedFit, OfFewRowsHasTheBytesOfOneProcess) {
  const data::Table table = make_table(few);
  constexpr std::size_t ranks[] = {2, 3, 4, 7};
  for (const Case& c : cases()) expect_same_bytes(table, c, ranks);
}

/// The metric needs the scores of all rows on every rank.
TEST(SharedFit, OfManyRowsStopsEarlyOnAllRanksAlike) {
  const Case c{"early stopping", {"kind"}, [](FitOptions& o) {
                 o.config.validation_fraction = 0.2;
                 o.config.patience = 2;
                 o.config.metric = "accuracy";
               }};
  constexpr std::size_t ranks[] = {3};
  expect_same_bytes(make_table(many), c, ranks);
}

/// Every rank predicts the calibration rows that it holds.
TEST(SharedFit, OfManyRowsCalibratesOnTheRowsOfAllRanks) {
  const Case c{"interval", {"kind"}, [](FitOptions& o) { o.config.interval = 0.8; }};
  constexpr std::size_t ranks[] = {3};
  expect_same_bytes(make_table(max_gathered_rows * 5 / 4 + 600), c, ranks);
  expect_same_bytes(make_table(max_gathered_rows * 5 / 4 - 600), c, ranks);  // gathered: too few are left
}

/// A rank may hold only one row, which is none of the calibration rows or all that the rank has of them.
TEST(SharedFit, CalibratesWithRanksOfOneRow) {
  const data::Table table = make_table(max_gathered_rows * 5 / 4 + 600);
  const FitOptions options = options_of({"interval", {"number"}, [](FitOptions& o) { o.config.interval = 0.8; }});
  const std::string expected = fit_alone(table, options);
  constexpr std::size_t ranks = 5;
  comm::run_ranks(ranks, [&](comm::Communicator& comm) {
    core::Workers one(1);
    FitOptions on_rank = options;
    on_rank.workers = &one;
    on_rank.comm = &comm;
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < table.rows(); ++r)
      if (comm.rank() == std::min(r, ranks - 1)) rows.push_back(r);
    EXPECT_TRUE(io::serialise(fit(data::take_rows(table, rows), on_rank).model) == expected) << comm.rank();
  });
}

TEST(SlowSharedFit, OfManyRowsHasTheBytesOfOneProcess) {
  const data::Table table = make_table(many);
  constexpr std::size_t ranks[] = {2, 3, 4, 7};
  for (const Case& c : cases()) expect_same_bytes(table, c, ranks);
}

TEST(SlowSharedFit, ChoosesTheSameSettings) {
  const data::Table table = make_table(many);
  const Case c{"automatic", {"number"}, [](FitOptions& o) {
                 o.config = {};
                 o.preset = "fast";
                 o.config.units = 32;
               }};
  constexpr std::size_t ranks[] = {3};
  expect_same_bytes(table, c, ranks);
}

/// The limit ends the choice on all ranks at the same step: their models are equal, and of a network that was held out.
TEST(SharedFit, ChoosesWithinATimeLimitOnAllRanksAlike) {
  const data::Table table = make_table(many);
  const Case c{"limit", {"number"}, [](FitOptions& o) {
                 o.config = {};
                 o.preset = "fast";
                 o.config.time_limit = 0.05;
               }};
  // With two threads, candidates grow side by side and are at different steps when the time is up.
  const std::vector<std::string> models = fit_on_ranks(table, options_of(c), 3, 2);
  for (const std::string& model : models) EXPECT_TRUE(model == models.front());
  const model::Model model = io::parse_model(models.front(), "model");
  EXPECT_GE(model.network.steps(), 1u);
  EXPECT_LT(model.network.steps(), 8u) << "the preset's length";
}

/// A limit that is never reached changes nothing.
TEST(SharedFit, ChoosesTheSameWithALimitThatIsNotReached) {
  const data::Table table = make_table(many);
  Case c{"limit", {"number"}, [](FitOptions& o) {
           o.config = {};
           o.preset = "fast";
           o.config.units = 32;
         }};
  const auto network_of = [](const std::string& bytes) { return io::parse_model(bytes, "model").network; };
  const network::Network expected = network_of(fit_alone(table, options_of(c)));
  FitOptions options = options_of(c);
  options.config.time_limit = 600.0;
  for (const std::string& bytes : fit_on_ranks(table, options, 2, 2)) {
    const network::Network network = network_of(bytes);
    EXPECT_TRUE(std::ranges::equal(network.hidden_weights(), expected.hidden_weights()));
    EXPECT_TRUE(std::ranges::equal(network.prefix_bias(), expected.prefix_bias()));
  }
}

TEST(SharedFit, GrowsToTheBytesOfOneProcess) {
  for (const std::size_t rows : {few, many}) {
    const data::Table table = make_table(rows);
    for (const Case& c : cases()) {
      if (c.name != "weights" && c.name != "offset" && c.name != "lookup tables of classes" && c.name != "balanced" &&
          c.name != "held-out loss")
        continue;
      FitOptions options = options_of(c);
      const model::Model small = fit(table, options).model;
      options.config.units = 10;
      const std::string expected = io::serialise(grow(small, table, options).model);
      for (const std::size_t ranks : {2, 3})
        comm::run_ranks(ranks, [&](comm::Communicator& comm) {
          core::Workers workers(1);
          FitOptions own = options;
          own.workers = &workers;
          own.comm = &comm;
          EXPECT_TRUE(io::serialise(grow(small, rows_of(table, comm), own).model) == expected)
              << c.name << ", " << rows << " rows, rank " << comm.rank() << " of " << ranks;
        });
    }
  }
}

TEST(SharedFit, ResumesOnAnotherNumberOfRanks) {
  const data::Table table = make_table(many);
  FitOptions options = options_of({"resume", {"number"}});
  const std::string expected = fit_alone(table, options);
  model::Model checkpoint;
  fit_on_ranks(table, options, 1, 1, [&](const Progress& p) {
    if (p.units == 2) checkpoint = p.snapshot();
    return true;
  });
  options.resume = &checkpoint;
  for (const std::size_t ranks : {2, 3})
    for (const std::string& model : fit_on_ranks(table, options, ranks, 1)) EXPECT_TRUE(model == expected);
}

TEST(SharedFit, EndsWhenTheObserverOfRankZeroSaysSo) {
  const data::Table table = make_table(few);
  std::vector<std::size_t> units(3);
  comm::run_ranks(3, [&](comm::Communicator& comm) {
    core::Workers workers(1);
    FitOptions options = options_of({"observer", {"number"}});
    options.workers = &workers;
    options.comm = &comm;
    const auto observer = [&](const Progress& p) { return comm.rank() > 0 || p.units < 4; };
    const FitResult result = fit(rows_of(table, comm), options, observer);
    EXPECT_EQ(result.stop, Stop::observer);
    units[comm.rank()] = result.model.network.units();
  });
  EXPECT_EQ(units, (std::vector<std::size_t>{4, 4, 4}));
}

void expect_refusal(const Case& c, const std::string& words) {
  const data::Table table = make_table(few);
  const std::string said = thrown_message([&] { fit_on_ranks(table, options_of(c), 2, 1); });
  EXPECT_NE(said.find(words), std::string::npos) << c.name << ": " << said;
}

TEST(SharedFit, RefusesWhatTakesOneProcess) {
  expect_refusal({"backend", {"number"}, [](FitOptions& o) { o.backend = "reference"; }}, "backend");
}

TEST(SharedFit, RefusesUnequalColumnsAndEmptyShares) {
  const data::Table table = make_table(few);
  for (const bool rename : {true, false})
    EXPECT_THROW(comm::run_ranks(3,
                                 [&](comm::Communicator& comm) {
                                   data::Table own = rows_of(table, comm);
                                   if (comm.rank() == 2 && rename) own.columns[0].name = "other";
                                   if (comm.rank() == 2 && !rename)
                                     own = data::take_rows(table, std::vector<std::size_t>{});
                                   FitOptions options = options_of({"columns", {"number"}});
                                   options.comm = &comm;
                                   fit(own, options);
                                 }),
                 core::DataError);
}

}  // namespace
}  // namespace accrete::boosting::shared_fit_test
