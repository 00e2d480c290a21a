#pragma once
// The six methods of the paper's table, and what each chooses among.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "accrete/backend/fit_device.hpp"
#include "accrete/experiment/profile.hpp"
#include "accrete/tune/grid.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::experiment {

struct Method {
  std::string_view name;
  std::string_view title;    ///< as the paper has it
  std::string_view summary;  ///< one clause
};

/// In the order of the paper's columns.
std::span<const Method> methods();

/// Throws UsageError listing the names.
const Method& method_named(std::string_view name);
/// Its place among methods().
std::size_t place_of(const Method& method);

/// To be searched over and fitted: the boosted network by the paper's step, the others by scikit-learn's defaults.
/// The former's fits are done by the device, where there is one.
std::unique_ptr<tune::Method> make_method(const Method& method, data::Task kind, backend::FitDevice* device = nullptr);

/// What is tried inside each training part; one combination where there is nothing to choose.
tune::Grid grid_of(const Method& method, data::Task kind, const Profile& profile);

/// "learning_rate 0.1 0.5 1; subsample 0.5 1": what a report says of a grid. Empty where nothing is chosen.
std::string show_grid(const tune::Grid& grid);

}  // namespace accrete::experiment
