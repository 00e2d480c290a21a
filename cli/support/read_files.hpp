#pragma once
// Reading of the files that the flags name.

#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/svmlight.hpp"
#include "accrete/model/model.hpp"
#include "cli/support/options.hpp"

namespace accrete::cli {

/// Delimiter and header of the file.
io::CsvOptions csv_options(const ReadFlags& flags);

/// How an svmlight file is read. columns: the names of those that are read, if they are known.
io::SvmlightOptions svmlight_options(const ReadFlags& flags, const std::vector<std::string>& columns = {});

/// Throws UsageError if the file is an svmlight file, which this command does not read.
void refuse_svmlight(const ReadFlags& flags, const std::string& command);

/// Prints a note if the column names look like a row of data.
void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common);

enum class Targets { optional, required };

/// A table for a model, read in the formats of its inputs; its targets, if present, and text inputs are read as text.
/// Columns that are missing are reported before the rows are read.
data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers,
                           Targets targets = Targets::optional);

}  // namespace accrete::cli
