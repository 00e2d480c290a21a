#include "accrete/data/column_reader.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/encoder/level_numbers.hpp"
#include "accrete/data/location.hpp"

namespace accrete::data {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// The number that each level represents. Throws DataError if the level of a selected row is not a number.
std::vector<float> numbers_of_levels(const ColumnSource& from) {
  const auto& levels = from.column.levels;
  std::vector<float> numbers(levels.size(), missing);
  std::vector<char> spelt(levels.size(), 0);
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (const auto number = number_of_text(levels[l])) numbers[l] = static_cast<float>(*number), spelt[l] = 1;
  for (std::size_t i = 0; i < from.rows.count; ++i) {
    const std::size_t row = from.rows[i];
    const auto code = from.column.codes[row];
    if (code >= 0 && !spelt[static_cast<std::size_t>(code)])
      throw core::DataError(core::message("{}: '{}' is not a number; the model needs numbers here",
                                          location(from.table, row, from.column.name),
                                          levels[static_cast<std::size_t>(code)]));
  }
  return numbers;
}

}  // namespace

void throw_infinite(const Table& table, const Column& column, std::size_t row) {
  throw core::DataError(
      core::message("{} is infinite; only finite numbers can be used", location(table, row, column.name)));
}

ColumnReader::ColumnReader(const Input& input, const ColumnSource& from, const KnownLevels* known)
    : numeric_(input.kind == Column::Kind::numeric), from_(from), known_(known) {
  if (numeric_) {
    if (from.column.kind == Column::Kind::text) value_of_code_ = numbers_of_levels(from);
    return;
  }
  if (!known_) {
    own_ = std::make_shared<const KnownLevels>(input);
    known_ = own_.get();
  }
  for (const std::string& text : from.column.levels) value_of_code_.push_back(known_->of_text(text));
}

const float* ColumnReader::read(std::size_t first, std::size_t count, float* buffer) const {
  const bool numbers = from_.column.kind == Column::Kind::numeric;
  const float* values = from_.column.numbers.data();
  if (from_.column.sparse && numeric_) return read_sparse(first, count, buffer);
  if (numbers && numeric_) {
    if (!from_.rows.listed) return values + first;
    for (std::size_t i = 0; i < count; ++i) buffer[i] = values[from_.rows.listed[first + i]];
    return buffer;
  }
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = from_.rows[first + i];
    buffer[i] = raw_at(row);
    if (numbers && buffer[i] == unseen_level) finite = finite && !std::isinf(from_.column.number(row));
  }
  return finite ? buffer : nullptr;
}

const float* ColumnReader::read_sparse(std::size_t first, std::size_t count, float* buffer) const {
  const SparseNumbers& sparse = *from_.column.sparse;
  if (from_.rows.listed) {
    for (std::size_t i = 0; i < count; ++i) buffer[i] = sparse.at(from_.rows.listed[first + i]);
    return buffer;
  }
  std::fill_n(buffer, count, 0.0f);
  for_entries_between(sparse.rows, sparse.values, first, first + count, [&](std::size_t i, float x) { buffer[i] = x; });
  return buffer;
}

float ColumnReader::raw(std::size_t i) const {
  return raw_at(from_.rows[i]);
}

void ColumnReader::refuse_infinite(std::size_t first, std::size_t count) const {
  const bool numbers = from_.column.kind == Column::Kind::numeric;
  if (from_.column.sparse || (!numbers && !numeric_)) return;  // sparse columns are finite
  for (std::size_t i = first; i < first + count; ++i) {
    const std::size_t row = from_.rows[i];
    if (std::isinf(numbers ? from_.column.number(row) : raw_at(row))) throw_infinite(from_.table, from_.column, row);
  }
}

float ColumnReader::raw_at(std::size_t row) const {
  if (from_.column.kind == Column::Kind::text) {
    const auto code = from_.column.codes[row];
    return code < 0 ? missing : value_of_code_[static_cast<std::size_t>(code)];
  }
  const float x = from_.column.number(row);
  return numeric_ || std::isnan(x) ? x : known_->of_number(x);
}

}  // namespace accrete::data
