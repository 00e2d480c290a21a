#pragma once
// The table of a training command: read from files, with number and date columns in local formats recognised.

#include <string>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "cli/support/options.hpp"

namespace accrete::cli {

/// A table and the roles of its columns, by name.
struct TrainingData {
  data::Table table;
  std::vector<std::string> targets;      ///< the last column if none was given
  std::vector<std::string> categorical;  ///< read as text, like the targets
  std::string weight_column;             ///< empty: none
  std::string offset_column;             ///< empty: none
  std::vector<std::string> ignore = {};  ///< columns of the table that are not features
};

/// Additional checks against the header before the rows are read.
struct HeaderChecks {
  config::Config given = {};    ///< constraints name columns
  std::string validation = {};  ///< a file that must have the targets; empty: none
  comm::Communicator& comm = comm::one_process();
};

/// Reads the file without the columns of --ignore and recognises its columns (data/recognise.hpp). Targets and
/// categories are read as text, so that labels remain as written. Prints a note for each column that is converted or
/// removed. Throws UsageError for an unknown column or contradicting flags, as soon as the header is known.
///
/// Across ranks, the table has the rows of this rank, as divided by io::CsvFiles. flags.file may be a pattern; the
/// table has the rows of all matching files.
TrainingData read_training_data(const ReadFlags& flags, const TargetFlags& target, const Common& common,
                                core::Workers& workers, const HeaderChecks& checks = {});

/// Reads all rows on every rank, because each rank runs different fits on them. Throws as read_training_data does, on
/// all ranks.
TrainingData read_all_rows(const ReadFlags& flags, const TargetFlags& target, const Common& common,
                           core::Workers& workers, const HeaderChecks& checks);

/// Reads validation rows in the same way as the training table.
data::Table read_validation_data(const std::string& path, const TrainingData& training, const ReadFlags& flags,
                                 core::Workers& workers);

}  // namespace accrete::cli
