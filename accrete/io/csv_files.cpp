#include "accrete/io/csv_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/table_share.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/level_index.hpp"
#include "accrete/io/text_file.hpp"

namespace accrete::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(const data::Table& table) {
  std::vector<std::string> names;
  for (const data::Column& column : table.columns) names.push_back(column.name);
  return names;
}

void require_same_columns(const data::Table& first, const std::vector<std::string>& names, const std::string& path) {
  const auto expected = names_of(first);
  if (names.size() != expected.size())
    throw core::DataError(fmt::format("{}: {} columns, and {} has {}; all files must have the same", path, names.size(),
                                      first.source, expected.size()));
  for (std::size_t c = 0; c < names.size(); ++c)
    if (names[c] != expected[c])
      throw core::DataError(fmt::format("{}: column {} is '{}', and '{}' in {}; all files must have the same", path,
                                        c + 1, names[c], expected[c], first.source));
}

/// Appends the rows of a column of the same kind; new levels are added after the known ones.
void append(data::Column& to, const data::Column& more) {
  to.numbers.insert(to.numbers.end(), more.numbers.begin(), more.numbers.end());
  if (to.kind != data::Column::Kind::text) return;
  std::vector<std::string> levels;
  LevelIndex index(levels, to.levels.size() + more.levels.size());
  for (const std::string& level : to.levels) index.code_of(level);
  std::vector<std::int32_t> merged;
  for (const std::string& level : more.levels) merged.push_back(index.code_of(level));
  for (const std::int32_t code : more.codes)
    to.codes.push_back(code < 0 ? code : merged[static_cast<std::size_t>(code)]);
  to.levels = std::move(levels);
}

}  // namespace

std::vector<std::string> matching_files(const std::string& pattern) {
  if (pattern.find_first_of("*?[") == pattern.npos || fs::exists(pattern)) return {pattern};
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (paths.empty()) throw core::FileError(fmt::format("no file matches '{}'", pattern));
  return paths;
}

std::string CsvFiles::FilePart::source() const {
  return path == "-" ? "standard input" : path;
}

CsvOptions CsvFiles::FilePart::with_range(CsvOptions options) const {
  options.range = range;
  return options;
}

CsvFiles::CsvFiles(const std::vector<std::string>& paths, std::string source, comm::Communicator& comm)
    : source_(std::move(source)), comm_(comm), is_one_file_(paths.size() == 1) {
  if (paths.size() >= comm.size())
    divide(paths);
  else
    divide_bytes(paths);
  comm::agree(comm, [&] {
    if (parts_.empty())
      throw core::DataError(fmt::format("{}: too small to divide among {} ranks; start fewer", source_, comm.size()));
    for (FilePart& part : parts_)
      if (!part.text) part.text = std::make_shared<const FileText>(part.path);
  });
}

/// Assigns whole files to ranks.
void CsvFiles::divide(const std::vector<std::string>& paths) {
  const std::size_t first = comm_.rank() * paths.size() / comm_.size();
  const std::size_t last = (comm_.rank() + 1) * paths.size() / comm_.size();
  for (std::size_t i = first; i < last; ++i) parts_.push_back({paths[i], {}, {}});
}

/// Assigns byte ranges to ranks, as if the files were concatenated.
void CsvFiles::divide_bytes(const std::vector<std::string>& paths) {
  std::vector<std::size_t> starts{0};
  std::vector<FilePart> files;
  comm::agree(comm_, [&] {
    for (const std::string& path : paths) {
      if (path == "-") throw core::UsageError("standard input cannot be divided among ranks; name a file");
      files.push_back({path, {}, std::make_shared<const FileText>(path)});
      std::error_code error;
      const std::size_t size = files.back().text->view().size();
      if (fs::file_size(path, error) != size)
        throw core::UsageError(
            fmt::format("'{}' is compressed and cannot be divided among ranks: decompress it, or give at least {} "
                        "files, one per rank",
                        path, comm_.size()));
      starts.push_back(starts.back() + size);
    }
  });
  const std::size_t begin = comm_.rank() * starts.back() / comm_.size();
  const std::size_t end = (comm_.rank() + 1) * starts.back() / comm_.size();
  bool quotes = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::size_t first = std::max(begin, starts[i]), last = std::min(end, starts[i + 1]);
    if (first >= last) continue;
    FilePart& part = parts_.emplace_back(std::move(files[i]));
    part.range = CsvRange{first - starts[i], last - starts[i]};
    const std::string_view own = part.text->view().substr(part.range->begin, last - first);
    quotes = quotes || own.find('"') != own.npos;
    part.text->release(own);
  }
  quotes = comm::is_any(comm_, quotes);
  for (FilePart& part : parts_) part.range->quotes = quotes;
}

data::Table CsvFiles::header(const CsvOptions& options) const {
  data::Table first;
  comm::agree(comm_, [&] {
    for (const FilePart& part : parts_) {
      const data::Table header = csv_header(*part.text, part.source(), part.with_range(options));
      if (&part == &parts_.front())
        first = header;
      else
        require_same_columns(first, names_of(header), part.source());
    }
  });
  const auto paths = comm::gather_texts(comm_, std::vector{first.source});
  const auto all = comm::gather_texts(comm_, names_of(first));
  data::Table result{.source = paths[0].front(), .columns = {}};
  for (const std::string& name : all[0]) result.columns.push_back({.name = name});
  for (std::size_t r = 1; r < all.size(); ++r) require_same_columns(result, all[r], paths[r].front());
  result.source = source_;
  return result;
}

/// Columns that are text in any file of any rank.
std::vector<std::string> CsvFiles::text_columns(const std::vector<data::Table>& tables) const {
  std::vector<std::string> own, names;
  for (const data::Table& table : tables)
    for (const data::Column& column : table.columns)
      if (column.kind == data::Column::Kind::text) own.push_back(column.name);
  for (const auto& of_rank : comm::gather_texts(comm_, own)) names.insert(names.end(), of_rank.begin(), of_rank.end());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

data::Table CsvFiles::read(const CsvOptions& options, core::Workers& workers) const {
  std::vector<data::Table> tables(parts_.size());
  const auto parse = [&](std::size_t i, const CsvOptions& as) {
    tables[i] = parse_csv(*parts_[i].text, parts_[i].source(), parts_[i].with_range(as), workers);
  };
  // With several files, the message names one of them, with the row number inside that file or byte range.
  const std::function<std::size_t()> rows = [&] { return tables.front().rows(); };
  comm::agree(
      comm_,
      [&] {
        for (std::size_t i = 0; i < tables.size(); ++i) parse(i, options);
      },
      is_one_file_ ? rows : nullptr);
  // A column may be numeric in one file and text in another.
  CsvOptions as_text = options;
  as_text.as_text_if_present = text_columns(tables);
  const auto is_number = [&](const data::Column& column) {
    return column.kind == data::Column::Kind::numeric &&
           std::ranges::binary_search(as_text.as_text_if_present, column.name);
  };
  comm::agree(comm_, [&] {
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (std::ranges::any_of(tables[i].columns, is_number)) parse(i, as_text);
  });
  data::Table result = std::move(tables.front());
  result.source = source_;
  for (std::size_t i = 1; i < tables.size(); ++i)
    for (std::size_t c = 0; c < result.columns.size(); ++c) append(result.columns[c], tables[i].columns[c]);
  for (data::Column& column : result.columns)
    if (column.kind == data::Column::Kind::text) comm::merge_levels(column, comm_);
  return result;
}

}  // namespace accrete::io
