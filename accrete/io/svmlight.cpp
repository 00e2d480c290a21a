#include "accrete/io/svmlight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/io/utf8.hpp"

namespace accrete::io {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// Removes the next word from the text and returns it; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

/// Collects the rows of a file.
class Parser {
 public:
  Parser(const std::string& source, const SvmlightOptions& options) : source_(source), options_(options) {
    rows_.columns = options.columns.size();
    labels_.name = options.label;
    labels_.kind = data::Column::Kind::text;
  }

  void add_line(std::string_view text) {
    ++line_;
    if (text.find('\0') != text.npos) refuse("contains a NUL byte: this is not a text file");
    text = text.substr(0, text.find('#'));
    const std::string_view label = next_word(text);
    if (label.empty()) return;
    add_label(label);
    std::string_view word = next_word(text);
    if (word.starts_with("qid:")) word = next_word(text);
    for (previous_.reset(); !word.empty(); word = next_word(text)) add_entry(word);
    rows_.starts.push_back(rows_.values.size());
  }

  data::Table finish() && {
    if (labels_.codes.empty()) throw core::DataError(source_ + ": no rows");
    if (rows_.columns == 0) throw core::DataError(source_ + ": no row has an entry (index:value)");
    data::Table table{source_, {}};
    table.add_sparse(rows_, options_.columns);
    if (const auto same = table.find(labels_.name))
      throw core::UsageError(fmt::format("{}: the labels cannot be named '{}': a column has this name", source_,
                                         table.columns[*same].name));
    table.columns.push_back(std::move(labels_));
    return table;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw core::DataError(fmt::format("{}: line {} {}", source_, line_, what));
  }

  void add_label(std::string_view label) {
    if (label.find(':') != label.npos) refuse(fmt::format("begins with {}: the label is missing", core::quote(label)));
    if (label.find(',') != label.npos)
      refuse(fmt::format("has the labels {}; only one label per row is possible", core::quote(label)));
    if (find_invalid_utf8(label)) refuse("has a label that is not UTF-8");
    const auto [at, is_new] = codes_.try_emplace(std::string(label), static_cast<std::int32_t>(codes_.size()));
    if (is_new) labels_.levels.emplace_back(label);
    labels_.codes.push_back(at->second);
  }

  void add_entry(std::string_view word) {
    const auto colon = word.find(':');
    if (colon == word.npos) refuse(fmt::format("has {}, which is not index:value", core::quote(word)));
    const std::size_t column = parse_index(word.substr(0, colon));
    const std::string_view text = word.substr(colon + 1);
    const auto value = data::parse_number(text);
    if (!value) refuse(fmt::format("has {}: the value is not a number", core::quote(word)));
    const auto number = static_cast<float>(*value);
    if (!std::isfinite(number)) refuse(fmt::format("has {}: the value must be a finite number", core::quote(word)));
    if (number == 0.0f) return;
    rows_.indices.push_back(static_cast<std::uint32_t>(column));
    rows_.values.push_back(number);
  }

  /// The column of an index.
  std::size_t parse_index(std::string_view text) {
    std::uint64_t index = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, index);
    const bool is_number = stop == end && !text.empty();
    if (!is_number || (error != std::errc{} && error != std::errc::result_out_of_range))
      refuse(fmt::format("has the index {}, which is not a whole number", core::quote(text)));
    if (error != std::errc{}) index = std::numeric_limits<std::uint64_t>::max();  // from_chars leaves it unchanged
    const std::size_t first = options_.zero_based ? 0 : 1;
    if (index < first)
      throw core::DataError(core::message("{}: line {} has the index 0; indices begin at 1, or at 0 with {}", source_,
                                          line_, core::parameter("zero_based")));
    if (previous_ && index <= *previous_)
      refuse(fmt::format("has the index {} after {}; indices must ascend", index, *previous_));
    const bool known = !options_.columns.empty();
    const std::size_t max = (known ? options_.columns.size() : max_svmlight_columns) - 1 + first;
    if (index > max)
      refuse(fmt::format("has the index {}; the largest {} is {}", text, known ? "of the model" : "possible", max));
    previous_ = index;
    const std::size_t column = index - first;
    if (!known) rows_.columns = std::max(rows_.columns, column + 1);
    return column;
  }

  const std::string& source_;
  const SvmlightOptions& options_;
  std::size_t line_ = 0;
  std::optional<std::uint64_t> previous_;  ///< index of the row's last entry
  data::SparseRows rows_;
  data::Column labels_;
  std::unordered_map<std::string, std::int32_t> codes_;
};

}  // namespace

bool is_svmlight(const std::string& path) {
  std::string_view name = path;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".svm") || name.ends_with(".svmlight") || name.ends_with(".libsvm");
}

data::Table read_svmlight(const std::string& path, const SvmlightOptions& options) {
  return parse_svmlight(FileText(path), path, options);
}

data::Table parse_svmlight(const FileText& file, const std::string& source, const SvmlightOptions& options) {
  constexpr std::size_t release_bytes = std::size_t{16} << 20;
  std::string_view text = file.view();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Parser parser(source, options);
  for (std::string_view done = text.substr(0, 0); !text.empty();) {
    const std::string_view line = text.substr(0, text.find('\n'));
    parser.add_line(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    done = {done.data(), static_cast<std::size_t>(text.data() - done.data())};
    if (done.size() < release_bytes) continue;
    file.release(done);
    done = text.substr(0, 0);
  }
  return std::move(parser).finish();
}

}  // namespace accrete::io
