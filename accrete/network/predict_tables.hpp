#pragma once
// The hidden layer of a network as lookup tables of its input columns: the cost of a prediction grows with the columns,
// not with their bins and levels. Tables are computed in double and stored in float.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/network/column_lookup.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// True if tables are faster than the dense weights for this encoder, and can be built.
bool prefers_tables(const data::Encoder& encoder);

class PredictTables {
 public:
  static constexpr std::size_t width = InterleavedWeights::width;  ///< units in a group

  /// `network` must read the features of `encoder`. The tables take about twice the memory of its hidden weights.
  PredictTables(const data::Encoder& encoder, const Network& network);
  PredictTables(const PredictTables&) = delete;
  PredictTables& operator=(const PredictTables&) = delete;

  /// Codes per row: one per input column that has features.
  std::size_t columns() const { return columns_.size(); }
  /// The input column of a code. Linear columns come first, then piecewise columns, then categories.
  std::size_t input(std::size_t column) const { return columns_[column].input; }

  /// Writes the codes of one column: value i to codes[i * columns() + column]. Returns false if a number is infinite.
  bool find(std::size_t column, const ColumnLookup::RawValues& values, TableCode* codes) const {
    return columns_[column].lookup.find(values, columns_[column].table, codes + column, columns_.size());
  }

  /// Memory layout for table_kernel.cpp. Group g of units: 16 biases, then the tables of the columns, then 16 weights
  /// per output, which are 0 for padding.
  struct Layout {
    std::size_t linear = 0, piecewise = 0, levels = 0;  ///< number of columns of each kind
    std::size_t outputs = 0;
    std::size_t group_size = 0;  ///< floats
    std::size_t activation = 0;
    bool exact_activation = false;
    const float* values = nullptr;

    std::size_t columns() const { return linear + piecewise + levels; }
  };
  const Layout& layout() const { return layout_; }

  /// True if the tables were built from this encoder and this network.
  bool match(const data::Encoder& encoder, const Network& network) const {
    return encoder_ == encoder.content() && network_ == network.content();
  }

 private:
  struct Column {
    std::size_t input;
    std::uint32_t table;  ///< offset within a group
    ColumnLookup lookup;
  };
  void add_columns(const data::Encoder& encoder, ColumnLookup::Kind kind, std::size_t& count);
  void fill(const data::Encoder& encoder, const Network& network);

  core::ContentId encoder_, network_;
  std::vector<Column> columns_;
  core::AlignedVector<float> values_;
  Layout layout_;
};

}  // namespace accrete::network
