#pragma once
// How one column enters the network: groups of features, in the order of the network's features.
//
// A column gives one raw value per row: a number, or the index of a category's level (any other value is an unseen
// level); NaN is missing. Each group turns the raw value into `count` features.
//
// This is the only description of an encoding. Table encoding (feature_writer.cpp) and the C, ONNX, TorchScript and
// Python exports render it group by group. A new encoding is a new alternative of FeatureEncoding; a renderer that does
// not handle it does not compile.

#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

#include "accrete/data/encoder/number_grid.hpp"
#include "accrete/data/encoder/ramps.hpp"
#include "accrete/data/input.hpp"

namespace accrete::data {

/// The largest magnitude of a standardised number. Numbers beyond it are clamped; sums of units would overflow.
inline constexpr double max_deviations = 1e20;

/// One feature: (x - mean) / scale, clamped to max_deviations, and 0 where missing. Computed in double as (x - mean) *
/// inverse.
struct Standardised {
  double mean, scale, inverse;
};

/// One feature per bin: a ramp from 0 to 1, standardised, and 0 where missing.
struct Bins {
  std::vector<Bin> bins;  ///< ascending and adjacent
  Ramps ramps;            ///< the same in single precision, used for all computation
  NumberGrid grid;
};

/// The feature of a level: 1 or 0, minus the mean, over the scale.
struct Level {
  double mean, scale;
  float on, off;  ///< its two values in single precision: for rows with the level, and for others
};

/// One feature per level. A missing value or an unseen level is `off` for every level.
struct OneHot {
  std::vector<Level> levels;
};

/// One feature: 1 where missing, 0 elsewhere.
struct GapFlag {};

using FeatureEncoding = std::variant<Standardised, Bins, OneHot, GapFlag>;

/// Describes features first .. first + count - 1 of the network.
struct FeatureGroup {
  std::size_t first, count;
  FeatureEncoding encoding;
};

class ColumnEncoding {
 public:
  /// The features of this input, starting at first_feature. Throws DataError for a scale that is not positive and
  /// finite, a share outside [0, 1], or bins that do not form ramps.
  ColumnEncoding(const Input& input, std::size_t first_feature);

  std::size_t first() const { return first_; }
  std::size_t width() const { return width_; }                         ///< features of all groups
  const std::vector<FeatureGroup>& groups() const { return groups_; }  ///< in feature order; a gap flag is last

  /// The group with this encoding, or null. A column has at most one of each kind.
  template <class Encoding>
  const FeatureGroup* find() const {
    for (const FeatureGroup& group : groups_)
      if (std::holds_alternative<Encoding>(group.encoding)) return &group;
    return nullptr;
  }

  /// The encoding of this kind, or null.
  template <class Encoding>
  const Encoding* get() const {
    const FeatureGroup* group = find<Encoding>();
    return group ? &std::get<Encoding>(group->encoding) : nullptr;
  }

  /// Calls visitor(encoding) or visitor(encoding, group) for every group in feature order. Does not compile if the
  /// visitor accepts neither for one of the alternatives.
  template <class Visitor>
  void visit(const Visitor& visitor) const {
    for (const FeatureGroup& group : groups_) {
      const auto call = [&](const auto& encoding) {
        if constexpr (std::is_invocable_v<const Visitor&, decltype(encoding), const FeatureGroup&>)
          visitor(encoding, group);
        else
          visitor(encoding);
      };
      std::visit(call, group.encoding);
    }
  }

 private:
  void add(std::size_t count, FeatureEncoding encoding);

  std::size_t first_ = 0, width_ = 0;
  std::vector<FeatureGroup> groups_;
};

}  // namespace accrete::data
