#include "accrete/data/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/generate/parts.hpp"

namespace accrete::data {
namespace {

using core::Purpose;
using core::Rng;

/// Columns x1 .. xN and the target.
Table table_of(std::string source, std::size_t features, std::size_t rows, Column target) {
  require_rows(rows);
  Table table{std::move(source), {}};
  for (std::size_t f = 1; f <= features; ++f) table.columns.push_back(numeric_column(fmt::format("x{}", f), rows));
  table.columns.push_back(std::move(target));
  return table;
}

void append_features(Table& table, const std::vector<double>& x) {
  for (std::size_t f = 0; f < x.size(); ++f) table.columns[f].numbers.push_back(static_cast<float>(x[f]));
}

/// An isotropic normal distribution.
struct Cloud {
  const char* label;
  double mean;  ///< of every feature
  double sd;
};

struct TwoClouds {
  const char* name;
  std::size_t features;
  Cloud clouds[2];
};

Table make_clouds(const TwoClouds& what, std::size_t rows, std::uint64_t seed) {
  Table table = table_of(what.name, what.features, rows, text_column("target", rows));
  Rng rng(seed, 0, Purpose::generator);
  std::vector<double> x(what.features);
  for (std::size_t r = 0; r < rows; ++r) {
    const Cloud& cloud = what.clouds[rng.below(2)];
    for (double& value : x) value = cloud.mean + cloud.sd * rng.normal();
    append_features(table, x);
    append_text(table.columns.back(), cloud.label);
  }
  return table;
}

/// Breiman's a: keeps the distance from the origin at 2 for any number of features.
double mean20() {
  return 2.0 / std::sqrt(20.0);
}

Table make_ringnorm2(std::size_t rows, std::uint64_t seed) {
  return make_clouds({"ringnorm2", 2, {{"1", 0.0, 2.0}, {"2", std::numbers::sqrt2, 1.0}}}, rows, seed);
}

Table make_ringnorm(std::size_t rows, std::uint64_t seed) {
  return make_clouds({"ringnorm", 20, {{"1", 0.0, 2.0}, {"2", mean20(), 1.0}}}, rows, seed);
}

Table make_twonorm(std::size_t rows, std::uint64_t seed) {
  return make_clouds({"twonorm", 20, {{"1", mean20(), 1.0}, {"2", -mean20(), 1.0}}}, rows, seed);
}

/// A triangle of height 6 around i = 11, moved right by `shift`.
double wave(int i, int shift) {
  return std::max(6.0 - std::abs(i - shift - 11), 0.0);
}

Table make_waveform(std::size_t rows, std::uint64_t seed) {
  constexpr int shifts[] = {0, 4, -4};
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  constexpr const char* labels[] = {"0", "1", "2"};
  Table table = table_of("waveform", 21, rows, text_column("target", rows));
  Rng rng(seed, 0, Purpose::generator);
  std::vector<double> x(21);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t label = rng.below(3);
    const double u = rng.uniform();
    const auto [first, second] = pairs[label];
    for (int i = 1; i <= 21; ++i)
      x[static_cast<std::size_t>(i - 1)] =
          u * wave(i, shifts[first]) + (1.0 - u) * wave(i, shifts[second]) + rng.normal();
    append_features(table, x);
    append_text(table.columns.back(), labels[label]);
  }
  return table;
}

Table make_friedman1(std::size_t rows, std::uint64_t seed) {
  Table table = table_of("friedman1", 10, rows, numeric_column("target", rows));
  Rng rng(seed, 0, Purpose::generator);
  std::vector<double> x(10);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : x) value = rng.uniform();
    append_features(table, x);
    const double y = 10.0 * std::sin(std::numbers::pi * x[0] * x[1]) + 20.0 * (x[2] - 0.5) * (x[2] - 0.5) +
                     10.0 * x[3] + 5.0 * x[4] + rng.normal();
    table.columns.back().numbers.push_back(static_cast<float>(y));
  }
  return table;
}

/// Two arms with radius = angle / 4 pi, half a turn apart, so 1/4 from each other, with noise of 0.02.
Table make_spirals(std::size_t rows, std::uint64_t seed) {
  constexpr double pi = std::numbers::pi;
  Table table = table_of("spirals", 2, rows, text_column("target", rows));
  Rng rng(seed, 0, Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t arm = rng.below(2);
    const double angle = rng.uniform(0.5 * pi, 4.0 * pi);
    const double radius = angle / (4.0 * pi), turned = angle + static_cast<double>(arm) * pi;
    const double x = radius * std::cos(turned) + 0.02 * rng.normal();
    const double y = radius * std::sin(turned) + 0.02 * rng.normal();
    append_features(table, {x, y});
    append_text(table.columns.back(), arm == 0 ? "a" : "b");
  }
  return table;
}

constexpr Generator all[] = {
    {"ringnorm2", "two normal clouds, one inside the other; 2 features, 2 classes", 200, false, make_ringnorm2},
    {"ringnorm", "two normal clouds, one inside the other; 20 features, 2 classes", 1000, false, make_ringnorm},
    {"twonorm", "two normal clouds side by side; 20 features, 2 classes", 1000, false, make_twonorm},
    {"waveform", "mixtures of two of three noisy waves; 21 features, 3 classes", 1000, false, make_waveform},
    {"friedman1", "a smooth function of 5 of 10 uniform features, with noise; regression", 1000, false, make_friedman1},
    {"tic-tac-toe", "every end of the game, has x won? 9 text features, 2 classes", tic_tac_toe_boards, true,
     make_tic_tac_toe},
    {"poker", "five cards as suits 1..4 and ranks 1..13, which hand? 10 features, 10 classes", 25000, false,
     make_poker},
    {"spirals", "two interleaved spirals; 2 features, 2 classes", 500, false, make_spirals},
    {"houses", "prices, with a text, a date and missing values; 6 features, regression", 1000, false, make_houses},
    {"claims", "numbers of insurance claims, with an exposure; 3 features, counts", 2000, false, make_claims},
};

}  // namespace

void require_rows(std::size_t rows) {
  if (rows == 0) throw core::UsageError("0 rows requested; generate at least 1");
}

Column numeric_column(std::string name, std::size_t rows) {
  Column column;
  column.name = std::move(name);
  column.numbers.reserve(rows);
  return column;
}

Column text_column(std::string name, std::size_t rows) {
  Column column;
  column.name = std::move(name);
  column.kind = Column::Kind::text;
  column.codes.reserve(rows);
  return column;
}

void append_text(Column& column, std::string_view value) {
  const auto found = std::find(column.levels.begin(), column.levels.end(), value);
  column.codes.push_back(static_cast<std::int32_t>(found - column.levels.begin()));
  if (found == column.levels.end()) column.levels.emplace_back(value);
}

std::span<const Generator> generators() {
  return all;
}

const Generator& generator_named(std::string_view name) {
  std::string names;
  for (const Generator& generator : all) {
    if (name == generator.name) return generator;
    names += (names.empty() ? "" : ", ") + std::string(generator.name);
  }
  throw core::UsageError(
      fmt::format("unknown generator '{}'; allowed: {}{}", name, names, core::did_you_mean(name, names)));
}

Table normal_clouds(const CloudShape& shape, std::uint64_t seed) {
  Table table = table_of("clouds", shape.features, shape.rows, text_column("target", shape.rows));
  Rng rng(seed, 0, Purpose::generator);
  std::vector<double> centres(shape.classes * shape.features);
  for (double& centre : centres) centre = 0.25 * rng.normal();
  for (std::size_t r = 0; r < shape.rows; ++r) {
    const std::size_t label = rng.below(shape.classes);
    for (std::size_t f = 0; f < shape.features; ++f)
      table.columns[f].numbers.push_back(static_cast<float>(centres[label * shape.features + f] + rng.normal()));
    append_text(table.columns.back(), std::to_string(label));
  }
  return table;
}

}  // namespace accrete::data
