#pragma once
// The six methods of the paper's table, and the grid that each searches.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "accrete/backend/fit_device.hpp"
#include "accrete/experiment/profile.hpp"
#include "accrete/tune/grid.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::experiment {

struct PaperMethod {
  std::string_view name;
  std::string_view title;    ///< as in the paper
  std::string_view summary;  ///< one clause
};

/// In the order of the paper's columns.
std::span<const PaperMethod> methods();

/// Throws UsageError that lists the names.
const PaperMethod& method_named(std::string_view name);
/// Its index in methods().
std::size_t index_of(const PaperMethod& method);

/// The method for searching and fitting: the boosted network with the paper's step, the others with scikit-learn's
/// defaults. Boosted fits run on the device if given.
std::unique_ptr<tune::Method> make_method(const PaperMethod& method, data::Task kind,
                                          backend::FitDevice* device = nullptr);

/// The grid searched inside each training part; a single combination if there is nothing to choose.
tune::Grid grid_of(const PaperMethod& method, data::Task kind, const Profile& profile);

/// "learning_rate 0.1 0.5 1; subsample 0.5 1": a grid as shown in a report. Empty if there is nothing to choose.
std::string show_grid(const tune::Grid& grid);

}  // namespace accrete::experiment
