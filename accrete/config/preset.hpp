#pragma once
// Presets: complete configurations by name and kind of task, and how given values change them.

#include <span>
#include <string_view>

#include "accrete/config/config.hpp"
#include "accrete/data/target.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::config {

struct Preset {
  const char* name;
  bool classes;  ///< for classification; otherwise for regression
  const char* summary;
  ResolvedConfig config;
};

/// One row per preset and kind of task.
std::span<const Preset> presets();

/// The preset with the given values applied and every "auto" resolved. Throws UsageError for an unknown preset, a value
/// outside its range, values that contradict each other, or one without an effect (used_parameters.hpp). With
/// `automatic`, a small number of given units raises the learning rate unless that is given too.
ResolvedConfig configure(std::string_view preset, data::Task task, const Config& given = {});

/// Checks values against each other and resolves loss and objective for the task; the last part of configure().
void resolve(ResolvedConfig& config, data::Task task);

/// The loss of a resolved config.
loss::Loss loss_of(const ResolvedConfig& config);

}  // namespace accrete::config
