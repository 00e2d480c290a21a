#include "cli/support/continuation.hpp"

#include <fmt/format.h>

#include "cli/support/shell_quote.hpp"

namespace accrete::cli {
namespace {

/// Why grow cannot give the model of the whole fit; empty if it can.
std::string refusal(const FitReport& report) {
  // Only train has a preset. grow drops intervals at its start, so it can continue itself.
  if (report.result.config.interval > 0.0 && !report.preset.empty())
    return "grow cannot continue a fit with --interval";
  if (!report.is_choice_complete) return "it stopped before all settings were tried";
  return "";
}

/// The flags that say which rows to read and where to fit. The model has the parameters and the formats of its columns.
std::string grow_flags(const FitFlags& flags) {
  std::string text;
  const auto add = [&](const char* flag, const std::string& value, const char* usual = "") {
    if (value != usual) text += fmt::format(" {} {}", flag, shell_quoted(value));
  };
  add("--validation", flags.validation);
  add("--weight-column", flags.read.weight_column);
  add("--offset-column", flags.read.offset_column);
  add("--delimiter", flags.read.delimiter);
  if (flags.read.no_header) text += " --no-header";
  if (flags.read.zero_based) text += " --zero-based";
  add("--device", flags.device, FitFlags{}.device.c_str());
  add("--backend", flags.backend, FitFlags{}.backend.c_str());
  return text;
}

}  // namespace

std::string continuation(const FitReport& report) {
  if (report.result.config.units <= report.result.model.network.units()) return "";
  if (const std::string reason = refusal(report); !reason.empty()) {
    const bool can_resume = report.has_checkpoint && report.is_choice_complete;
    return fmt::format("{}: run the same command again{}", reason, can_resume ? " with --resume" : "");
  }
  const FitFlags& flags = report.flags;
  const bool from_stdin = flags.read.file == "-" || flags.validation == "-";
  const std::string model = shell_quoted(flags.output);
  return fmt::format("continue with{}: accrete grow {} {} --units {}{} -o {}",
                     from_stdin ? " the same standard input" : "", model, shell_quoted(flags.read.file),
                     report.result.config.units, grow_flags(flags), model);
}

}  // namespace accrete::cli
