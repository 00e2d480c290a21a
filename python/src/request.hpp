#pragma once
// Everything a fit is told besides its table.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"

namespace accrete::python {

struct Request {
  std::vector<std::string> targets = {};
  std::string task = {};
  std::string preset = "default";
  std::vector<boosting::Setting> settings = {};
  std::string weight_column = {};
  std::size_t threads = 0;
  std::string device = "cpu";

  /// All of it but threads and device.
  boosting::FitOptions options() const;
};

}  // namespace accrete::python
