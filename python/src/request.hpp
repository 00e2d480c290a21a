#pragma once
// The arguments of a fit, except the table.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/config/parameters.hpp"

namespace accrete::python {

struct Request {
  std::vector<std::string> targets = {};
  std::string task = {};
  std::string preset = "default";
  std::vector<config::Setting> settings = {};
  std::string weight_column = {}, offset_column = {};
  std::vector<std::string> ignore = {};                      ///< columns of the table that are not features
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};  ///< for loss="custom"
  boosting::CustomMetric custom_metric = {};
  std::size_t threads = 0;
  std::string device = "cpu";

  /// Everything except threads and device.
  boosting::FitOptions options() const;
};

}  // namespace accrete::python
