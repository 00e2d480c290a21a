#pragma once
// The settings that a search tries: all combinations of parameter values.
//
// The number of units is not an axis, because one fit scores all its prefixes.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/data/target.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

struct Axis {
  std::string name;
  std::vector<std::string> values;
  bool operator==(const Axis&) const = default;
};

struct Grid {
  std::vector<Axis> axes;
  std::vector<std::size_t> units;  ///< ascending; empty: unset
  std::vector<Settings> listed = {
      {}};  ///< settings that vary together, such as pairs; each entry is combined with all axes

  /// All combinations, with the last axis changing fastest; a single empty combination if there is no axis.
  std::vector<Settings> points() const;
  std::size_t size() const;  ///< number of combinations

  const Axis* find(std::string_view name) const;
  void remove(std::string_view name);  ///< removes an axis, or "units"
};

inline constexpr std::size_t max_points = 100'000;

/// The grid of the paper for 200 units.
Grid paper_grid(data::Task task);

/// Parses {"learning_rate": [0.1, 1], "units": [50, 100, 200], "activation": ["relu", "tanh"]} and checks it against
/// the method's parameters. Throws DataError in one line with source, location and rule.
Grid parse_grid(std::string_view text, const std::string& source, const Method& method);

}  // namespace accrete::tune
