#pragma once
// Shared by train and grow: options, progress and checkpoints of a fit, saving the model, and the report.

#include <chrono>
#include <optional>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"

namespace accrete::cli {

struct FitFlags {
  ReadFlags read;
  GivenParameters parameters;
  std::string validation;
  std::string backend = "cpu", device = "cpu";
  std::string output;
};

/// The data file, --weight-column, --validation, the parameters and --backend.
void add_fit_flags(CLI::App& app, FitFlags& flags);

/// Throws UsageError for options that contradict each other.
void check_fit_flags(const FitFlags& flags);

/// The checkpoint of a stopped fit. Without such a file: nullopt, and a note on standard error.
std::optional<model::Model> read_checkpoint(const std::string& path, const Common& common);

/// Observes a fit: progress bar, checkpoints, Ctrl-C.
class FitMonitor {
 public:
  /// Writes a checkpoint each time `every` units are added; 0: no checkpoints.
  FitMonitor(const Common& common, std::string checkpoint, std::size_t every);

  /// Shows that a large file is being read.
  void reading(const std::string& file);
  /// Sets a note to print at the first step, because only then is the checkpoint known to be accepted.
  void note_at_first_step(std::string text) { first_note_ = std::move(text); }
  /// Starts the clock of seconds(). Throws Interrupted after Ctrl-C.
  void start_fit();

  boosting::Observer observer();
  boosting::ChoosingObserver choosing();
  double seconds() const;
  /// False if Ctrl-C ended the choice of settings before all were tried.
  bool is_choice_complete() const { return is_choice_complete_; }
  /// True if the fit can resume from a checkpoint that this fit has written.
  bool has_checkpoint() const { return saved_units_.has_value(); }
  void clear() { bar_.clear(); }

 private:
  bool on_step(const boosting::Progress& progress);

  const Common& common_;
  ProgressBar bar_;
  std::string first_note_;
  std::string checkpoint_;
  std::size_t every_;
  bool is_choice_complete_ = true;
  std::optional<std::size_t> saved_units_;  ///< units at the last checkpoint
  std::chrono::steady_clock::time_point start_;
};

/// The units of a fitted network, and the reason for their number.
std::string show_units(const boosting::FitResult& result);

struct FitReport {
  const boosting::FitResult& result;
  const FitFlags& flags;
  std::string preset;       ///< empty: the model's own parameters
  std::string target_note;  ///< how the target column was chosen
  double seconds;
  comm::Communicator& comm = comm::one_process();
  bool is_choice_complete = true;  ///< Ctrl-C did not end the choice of settings
  bool has_checkpoint = false;     ///< --resume can continue the fit
};

/// On rank 0, saves to flags.output, prints the report and calls `finish`. If Ctrl-C ended the fit, does not call
/// `finish`, and all ranks throw Interrupted after the units so far are saved.
void save_and_report(const FitReport& report, const Common& common, const std::function<void()>& finish = {});

}  // namespace accrete::cli
