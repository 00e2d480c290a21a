#pragma once
// The output of compare: the table, facts about it, and the JSON.

#include <string>
#include <utility>
#include <vector>

#include "accrete/tune/compare.hpp"
#include "accrete/tune/problem.hpp"
#include "cli/support/named_methods.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {

struct CompareFlags {
  ReadFlags read;
  TargetFlags target;
  std::vector<std::string> methods;
  std::string store, metric, output, device = "cpu";
  FoldFlags folds;
  std::uint64_t seed = 0;
};

struct Comparison {
  const tune::Problem& problem;
  std::vector<NamedMethod> methods;                   ///< in the order of CompareResult's indices
  std::vector<NamedMethod> unsupported_methods = {};  ///< cannot learn the target
  std::vector<std::string> missing = {};              ///< not installed
};

using Facts = std::vector<std::pair<std::string, std::string>>;

/// With the header as first row.
std::vector<std::vector<std::string>> table_of(const tune::CompareResult& result, const Comparison& comparison);
Facts facts_of(const tune::CompareResult& result, const Comparison& comparison, const CompareFlags& flags);
Facts notes_of(const Comparison& comparison);
Json compare_json(const tune::CompareResult& result, const Comparison& comparison, const CompareFlags& flags);

}  // namespace accrete::cli
