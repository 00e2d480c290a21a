#pragma once
// What train and grow share: the options, watching a fit as it runs, putting the model away, and the report.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"

namespace accrete::cli {

struct FitFlags {
  ReadFlags read;
  GivenParameters parameters;
  std::string validation;
  std::string backend = "cpu";
  std::string output;
};

/// The data file, --weight-column, --validation, the parameters and --backend.
void add_fit_flags(CLI::App& app, FitFlags& flags);

/// Throws UsageError for options that contradict each other.
void check_fit_flags(const FitFlags& flags);

/// What a fit left behind when it was stopped; nothing, and a note, where there is no such file.
std::optional<model::Model> read_checkpoint(const std::string& path, const Common& common);

/// The observer of a fit: progress bar, checkpoints, Ctrl-C.
class FitWatch {
 public:
  /// every = 0: no checkpoints.
  FitWatch(const Common& common, std::string checkpoint, std::size_t every);

  boosting::Observer observer();
  boosting::ChoosingObserver choosing();
  double seconds() const;
  void clear() { bar_.clear(); }

 private:
  bool see(const boosting::Progress& progress);

  ProgressBar bar_;
  std::string checkpoint_;
  std::size_t every_;
  std::optional<std::size_t> saved_units_;  ///< units at the last checkpoint, or at the beginning
  std::chrono::steady_clock::time_point start_;
};

struct FitReport {
  const boosting::FitResult& result;
  const FitFlags& flags;
  std::string preset;       ///< empty: the model's own parameters
  std::string target_note;  ///< how the target was found
  double seconds;
};

/// Saves to flags.output and reports. Throws Interrupted when Ctrl-C ended the fit, after saving what there is.
void save_and_report(const FitReport& report, const Common& common);

}  // namespace accrete::cli
