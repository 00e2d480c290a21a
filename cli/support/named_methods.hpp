#pragma once
// The methods that compare and cv accept by name: the boosted network, the plain methods and the peers.

#include <memory>
#include <string>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/target.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::cli {

struct NamedMethod {
  std::shared_ptr<const tune::Method> method;
  std::string summary;
  std::string unsupported = {};  ///< why it cannot learn the target, as one clause; empty if it can

  std::string name() const { return method->name(); }
};

/// "accrete, paper, ..., lightgbm"
std::string list_named_methods();

/// Throws UsageError for an unknown name; the message starts with `flag`.
void check_method_names(const std::vector<std::string>& names, const std::string& flag);

struct NamedMethodTask {
  const data::Target& target;
  std::string weight_column;
  backend::FitDevice* device = nullptr;  ///< for boosted fits
  core::Workers* workers = nullptr;
};

struct NamedMethods {
  std::vector<NamedMethod> list;
  std::vector<std::string> missing = {};  ///< peers that were not named and whose package is not installed
};

/// The named methods, in the order of the list; without names, all that can run. Throws UsageError for an unknown name
/// and for a peer that is not installed; the message starts with `flag`.
NamedMethods make_named_methods(const std::vector<std::string>& names, const std::string& flag,
                                const NamedMethodTask& task);

}  // namespace accrete::cli
