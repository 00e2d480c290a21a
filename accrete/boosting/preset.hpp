#pragma once
// Presets: complete settings, by name and kind of task, and what a user's overrides make of them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/boosting/parameters.hpp"
#include "accrete/data/target.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::boosting {

struct Preset {
  const char* name;
  bool classes;  ///< for classification; else for regression
  const char* summary;
  Config config;
};

/// The table: one row per preset and kind of task.
std::span<const Preset> presets();

/// Whether a parameter is among the settings that a user gave.
bool is_given(std::span<const Setting> given, std::string_view name);

/// The preset with the overrides applied and every "auto" resolved. Throws UsageError for an unknown preset or
/// parameter, a value outside its range, or values that cannot go together. With auto on, few units that are given make
/// the rate longer, where that is not given.
Config configure(std::string_view preset, data::Task task, std::span<const Setting> overrides);

/// Checks values against each other and resolves loss and objective for the task. configure() ends with it.
void resolve(Config& config, data::Task task);

/// The loss of a resolved config.
loss::Loss loss_of(const Config& config);

}  // namespace accrete::boosting
