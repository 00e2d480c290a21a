#pragma once
// All parameters of a plain network or an AdaBoost of them. The defaults are scikit-learn's, which makes results
// comparable. baseline/parameters gives each field its name, range and documentation.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accrete/config/field.hpp"

namespace accrete::baseline {

using config::initial;

/// Field is std::optional for the caller's Config and config::Plain for ResolvedConfig.
template <template <class> class Field>
struct BasicConfig {
  // a plain network
  Field<std::vector<std::uint64_t>> hidden = initial<Field, std::vector<std::uint64_t>>({100});  ///< units by layer

  // AdaBoost
  Field<std::uint64_t> estimators = initial<Field, std::uint64_t>(67);
  Field<std::uint64_t> units_per_step = initial<Field, std::uint64_t>(3);
  Field<double> learning_rate = initial<Field, double>(1.0);

  // how a network is trained
  Field<std::string> activation = initial<Field, std::string>("relu");
  Field<std::string> solver = initial<Field, std::string>("adam");
  Field<double> alpha = initial<Field, double>(1e-4);
  Field<std::uint64_t> max_iter = initial<Field, std::uint64_t>(200);
  Field<double> tolerance = initial<Field, double>(1e-4);
  Field<std::uint64_t> batch_size = initial<Field, std::uint64_t>(200);
  Field<double> solver_rate = initial<Field, double>(1e-3);
  Field<double> momentum = initial<Field, double>(0.9);
  Field<std::string> schedule = initial<Field, std::string>("constant");
  Field<bool> standardise_target = initial<Field, bool>(false);

  Field<std::uint64_t> seed = initial<Field, std::uint64_t>(0);

  bool operator==(const BasicConfig&) const = default;
};

using Config = BasicConfig<std::optional>;
using ResolvedConfig = BasicConfig<config::Plain>;

}  // namespace accrete::baseline
