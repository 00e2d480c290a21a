#include "accrete/boosting/choose/growth_config.hpp"

#include <cstdint>

#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/config/used_parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {

config::ResolvedConfig growth_config(const model::Model& model, const config::Config& given) {
  using core::parameter;
  config::ResolvedConfig config;
  config::overwrite(config, config::parse_settings(model.provenance.parameters));
  const config::ResolvedConfig made = config;
  const std::uint64_t units = model.network.units();
  if (given.interval.value_or(0.0) > 0.0 && *given.interval != made.interval)
    throw core::UsageError(parameter("interval", *given.interval),
                           "a network that grows has seen all rows, so none are left to calibrate on; train a new one");
  config::overwrite(config, given);
  config::resolve(config, model.task);
  config::check_used(config, given);
  if (config.activation != model.network.activation().name())
    throw core::UsageError(core::message("the model was made with {}, which cannot change when it grows",
                                         parameter("activation", model.network.activation().name())));
  for (const char* name : {"bins", "monotone", "interactions"}) {
    const config::Parameter& fixed = config::parameter_named(name);
    if (get(config, fixed) != get(made, fixed))
      throw core::UsageError(core::message("the model was made with {}, which cannot change when it grows",
                                           parameter(name, get(made, fixed))));
  }
  if (config.units <= units)
    throw core::UsageError(parameter("units", config.units),
                           core::message("the model already has {}; ask for more", units));
  if (config.units - units < config.units_per_step)
    throw core::UsageError(parameter("units", config.units),
                           core::message("must be at least {}, because the model has {} units and a step adds {}",
                                         units + config.units_per_step, units, config.units_per_step));
  return config;
}

}  // namespace accrete::boosting
