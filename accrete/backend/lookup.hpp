#pragma once
// Ramps of one number, looked up instead of multiplied. All ramps of a column together are one piecewise linear
// function of its number for every unit: at a row, the ramps below its bin are at their high end, those above at their
// low end, and one is on its way. So a row needs only the place of that one and how far up it is:
//
//   sum_m w_m ramp_m(x)  =  base[code] + rise * slope[code]
//
// and the gradient of all w_m follows from two sums per place. A column whose ramps are few is left to the products.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Units side by side in a table: a multiple of this.
inline constexpr std::size_t lookup_units = 4;

/// What the kernel reads and sums: for each entry, base then slope of all units.
struct LookupTables {
  std::size_t columns = 0;                ///< 0: nothing is looked up
  std::size_t width = 0;                  ///< units, up to a multiple of lookup_units
  std::size_t entries = 0;                ///< of all columns
  const std::uint32_t* starts = nullptr;  ///< first entry of each column
  const float* values = nullptr;          ///< entries x 2 x width

  std::size_t size() const { return entries * 2 * width; }
};

/// Where the rows of a tile are in the tables: columns x tile_rows each.
struct LookupRows {
  const std::uint16_t* codes = nullptr;  ///< entry of its column
  const float* rises = nullptr;          ///< how far up its ramp
};

class Lookup {
 public:
  /// A step's features; takes those that are worth it. The rest are `dense`.
  void look_at(const data::Features& x, std::span<const data::FeatureSource> features, std::size_t units,
               core::Workers& workers);

  bool empty() const { return columns_.empty(); }
  std::size_t features() const { return features_; }  ///< of the step, in all
  /// Places in the step's features that are left to the products, ascending.
  const std::vector<std::size_t>& dense() const { return dense_; }
  const LookupTables& tables() const { return tables_; }
  LookupRows rows(std::size_t tile) const;

  /// Tables of a hidden layer: weights of all features, units x features.
  void set_weights(std::span<const double> weights);
  /// sums: entries x 2 x width, laid out as the tables are. Writes the derivatives by the weights looked up, units x
  /// features.
  void derivatives(const float* sums, double* result) const;

 private:
  struct Column {
    std::size_t stored;
    std::vector<std::size_t> places;  ///< among the step's features
    std::vector<data::Ramp> ramps;    ///< ascending, none reaching into the next
  };

  void take(std::vector<Column>& columns);
  void find_codes(const data::Features& x, std::size_t tile);

  std::size_t features_ = 0, units_ = 0, tile_rows_ = 0;
  std::vector<Column> columns_;
  std::vector<std::size_t> dense_;
  std::vector<std::uint32_t> starts_;
  core::AlignedVector<float> values_;
  std::vector<std::uint16_t> codes_;
  std::vector<float> rises_;
  LookupTables tables_;
};

}  // namespace accrete::backend
