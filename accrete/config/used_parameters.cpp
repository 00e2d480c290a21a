#include "accrete/config/used_parameters.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "accrete/config/parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::config {
namespace {

/// A parameter that needs one of the values of a choice.
struct Dependence {
  std::string_view name;
  const char* choice;
  std::string ResolvedConfig::*value;
  const char* needed;
  const char* other = nullptr;  ///< a second value with which it has an effect
};

constexpr Dependence dependences[] = {
    {"quantile", "loss", &ResolvedConfig::loss, loss::Quantile::name},
    {"huber_delta", "loss", &ResolvedConfig::loss, loss::Huber::name},
    {"batch_size", "solver", &ResolvedConfig::solver, solver::Adam::name, solver::Sgd::name},
    {"solver_rate", "solver", &ResolvedConfig::solver, solver::Adam::name, solver::Sgd::name},
    {"momentum", "solver", &ResolvedConfig::solver, solver::Sgd::name},
};

bool is_met(const Dependence& d, std::string_view chosen) {
  return chosen == d.needed || (d.other && chosen == d.other);
}

[[noreturn]] void refuse(const Dependence& d, const std::string& value, const std::string& chosen) {
  throw core::UsageError(core::message("{} needs {}{}, not {}", core::parameter(d.name, value),
                                       core::parameter(d.choice, d.needed),
                                       d.other ? std::string(" or ") + d.other : "", chosen));
}

}  // namespace

std::optional<std::string> implied_loss(const Config& given) {
  using core::parameter;
  if (given.loss.value_or("auto") != "auto") return std::nullopt;
  if (given.quantile && given.huber_delta)
    throw core::UsageError(core::message("{} and {} are for different losses; give only one of them",
                                         parameter("quantile"), parameter("huber_delta")));
  if (given.quantile) return loss::Quantile::name;
  if (given.huber_delta) return loss::Huber::name;
  return std::nullopt;
}

void check_used(const ResolvedConfig& config, const Config& given) {
  using core::parameter;
  const ResolvedConfig defaults;
  const auto differs = [&](const auto& value, const auto& usual) { return value && *value != usual; };
  for (const Dependence& d : dependences) {
    const Parameter& p = parameter_named(d.name);
    const auto value = get(given, p);
    if (differs(value, get(defaults, p)) && !is_met(d, config.*d.value)) refuse(d, *value, config.*d.value);
  }
  if (differs(given.quantile, defaults.quantile) && !config.quantiles.empty())
    throw core::UsageError(core::message("{} cannot be used with {}, which predicts several quantiles; leave it out",
                                         parameter("quantile", *given.quantile),
                                         parameter(config.interval > 0.0 ? "interval" : "quantiles")));
  if (differs(given.calibration_fraction, defaults.calibration_fraction) && config.interval == 0.0)
    throw core::UsageError(core::message("{} needs {}", parameter("calibration_fraction", *given.calibration_fraction),
                                         parameter("interval")));
}

void check_solver_uses(const Setting& given, const std::string& solver) {
  for (const Dependence& d : dependences)
    if (d.choice == std::string_view("solver") && d.name == given.first && !is_met(d, solver))
      refuse(d, given.second, solver);
}

void drop_unused(Config& config, std::span<const Setting> searched) {
  const auto is_searched = [&](std::string_view name) {
    return std::ranges::find(searched, name, &Setting::first) != searched.end();
  };
  ResolvedConfig resolved;
  overwrite(resolved, config);
  for (const Dependence& d : dependences)
    if (is_searched(d.choice) && !is_met(d, resolved.*d.value) && resolved.*d.value != "auto")
      std::visit([&](auto field) { (config.*field.given).reset(); }, parameter_named(d.name).field);
  if (is_searched("quantiles") && !resolved.quantiles.empty()) config.quantile.reset();
  if (is_searched("interval") && resolved.interval == 0.0) config.calibration_fraction.reset();
}

}  // namespace accrete::config
