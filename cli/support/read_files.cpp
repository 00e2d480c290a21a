#include "cli/support/read_files.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/io/csv_files.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) throw core::UsageError(fmt::format("--delimiter {}: must be one character, or tab", text));
  return text[0];
}

/// Matches columns by position: the first index is the model's first input.
data::Table read_svmlight_for(const model::Model& model, const ReadFlags& flags) {
  std::vector<std::string> names;
  for (const data::Input& input : model.encoder.inputs()) {
    if (input.kind == data::Column::Kind::text || input.format.needs_text())
      throw core::UsageError(fmt::format("{}: svmlight files contain only numbers, but the model reads text in '{}'",
                                         flags.file, input.name));
    names.push_back(input.name);
  }
  io::SvmlightOptions options = svmlight_options(flags, names);
  if (model.targets.size() == 1) options.label = model.targets.front();
  return io::read_svmlight(flags.file, options);
}

/// Throws DataError or UsageError for a column that is missing from the header.
void check_header_for(const model::Model& model, const data::Table& header, const ReadFlags& flags, Targets targets) {
  const data::ColumnIndex index(header);
  for (const auto& input : model.encoder.inputs()) {
    const std::string& name = input.format.is_date() ? input.format.column : input.name;
    if (!index.find(name) && !index.find(input.name))
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", header.source, name));
  }
  if (targets == Targets::required)
    for (const std::string& name : model.targets) header.require(name);
  for (const std::string& name : {flags.weight_column, flags.offset_column})
    if (!name.empty()) header.require(name);
}

}  // namespace

io::CsvOptions csv_options(const ReadFlags& flags) {
  io::CsvOptions options;
  options.delimiter = delimiter_of(flags.delimiter);
  options.header = !flags.no_header;
  return options;
}

io::SvmlightOptions svmlight_options(const ReadFlags& flags, const std::vector<std::string>& columns) {
  io::SvmlightOptions options{.zero_based = flags.zero_based};
  for (const std::string& name : columns) {
    // x7 is the eighth column even if earlier columns were left out in training.
    const auto number = name.starts_with('x') ? data::parse_number(std::string_view(name).substr(1)) : std::nullopt;
    while (number && static_cast<double>(options.columns.size()) < *number && *number < io::max_svmlight_columns)
      options.columns.push_back(fmt::format("x{}", options.columns.size()));
    options.columns.push_back(name);
  }
  return options;
}

void refuse_svmlight(const ReadFlags& flags, const std::string& command) {
  if (io::is_svmlight(flags.file))
    throw core::UsageError(fmt::format("{}: {} reads CSV files, not svmlight", flags.file, command));
}

void refuse_svmlight_on_ranks(const ReadFlags& flags, const comm::Communicator& comm) {
  if (comm.size() > 1)
    throw core::UsageError(
        fmt::format("{}: svmlight files cannot be read by several ranks; start without mpirun", flags.file));
}

void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common) {
  if (flags.no_header) return;
  bool fraction = false, all = true, counted = true;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto number = data::parse_number(table.columns[c].name);
    fraction |= number && *number != std::trunc(*number);
    all &= number.has_value();
    counted &= number == static_cast<double>(c);  // some programs name columns 0, 1, 2, ...
  }
  if (fraction || (all && !counted))
    note(common, fmt::format("{}: the header line looks like data; is --no-header missing?", table.source));
}

std::vector<std::string> files_of(const std::string& pattern, comm::Communicator& comm) {
  std::vector<std::string> files;
  comm::run_on_rank_0(comm, [&] { files = io::matching_files(pattern); });
  return comm::gather_texts(comm, files).front();
}

data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers, Targets targets,
                           comm::Communicator& comm) {
  if (io::is_svmlight(flags.file)) {
    refuse_svmlight_on_ranks(flags, comm);
    return read_svmlight_for(model, flags);
  }
  const std::string source = flags.file == "-" ? "standard input" : flags.file;
  const io::CsvFiles files(files_of(flags.file, comm), source, comm);
  io::CsvOptions options = csv_options(flags);
  options.as_text_if_present = model.targets;
  for (const auto& input : model.encoder.inputs()) {
    const data::TextFormat& format = input.format;
    if (input.kind == data::Column::Kind::text || format.needs_text())
      options.as_text_if_present.push_back(format.is_date() ? format.column : input.name);
    if (options.missing_values.empty()) options.missing_values = format.missing;  // the same for all inputs
  }
  check_header_for(model, files.header(options), flags, targets);
  data::Table table = files.read(options, workers);
  comm::agree(
      comm, [&] { data::apply_formats(table, model.encoder.inputs()); }, [&] { return table.rows(); });
  return table;
}

}  // namespace accrete::cli
