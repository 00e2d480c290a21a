#pragma once
// Average ranks of methods over the tasks of a table.

#include <cstddef>
#include <vector>

#include "report/experiment/results.hpp"

namespace accrete::report {

enum class TaskGroup { classification, regression, all };

const char* group_name(TaskGroup group);  ///< "classification"
bool belongs(const TaskRow& row, TaskGroup group);

/// Only tasks with a score for every compared method are included.
struct RankComparison {
  std::vector<std::size_t> methods;  ///< indices in experiment::methods()
  std::size_t tasks = 0;             ///< number of included tasks; 0: no ranks
  std::vector<double> ranks,
      paper_ranks = {};              ///< one per method; the paper's from its printed means on the same tasks
  double chi_square = 0.0, p = 1.0;  ///< Friedman test; undefined for fewer than two tasks or methods
  double f = 0.0, f_p = 1.0;         ///< its Iman-Davenport form
  double critical = 0.0;             ///< Nemenyi's critical distance at the 5 % level
  bool tested() const { return tasks > 1 && methods.size() > 1; }
};

RankComparison compare_ranks(const ProfileTable& table, TaskGroup group);

}  // namespace accrete::report
