#pragma once
// Small invented data under the names of the paper's tasks, in a folder of its own, and what a store has of a run.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "accrete/data/generate.hpp"
#include "accrete/experiment/run.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/store/store.hpp"
#include "tests/core/temporary_folder.hpp"

namespace accrete::experiment {

namespace fs = std::filesystem;

/// Every n-th row of a table.
inline data::Table thinned(const data::Table& table, std::size_t every) {
  data::Table thin = table;
  for (data::Column& column : thin.columns) {
    const data::Column whole = column;
    column.numbers.clear();
    column.codes.clear();
    for (std::size_t row = 0; row < whole.size(); row += every)
      whole.kind == data::Column::Kind::numeric ? column.numbers.push_back(whole.numbers[row])
                                                : column.codes.push_back(whole.codes[row]);
  }
  return thin;
}

/// Of the task's kind, and small enough for many fits.
inline data::Table invented(const PaperTask& task) {
  if (task.name == "tic-tac-toe") return thinned(data::generator_named("tic-tac-toe").make(958, 0), 8);
  if (task.stem() == "waveform") return data::generator_named("waveform").make(400, 7);
  if (task.kind == data::Task::binary) return data::generator_named("ringnorm2").make(60, 7);
  if (task.kind == data::Task::multiclass) return data::generator_named("waveform").make(60, 7);
  return data::generator_named("friedman1").make(60, 7);
}

inline void write_invented(const fs::path& folder, const std::vector<std::string>& tasks) {
  fs::create_directories(folder);
  for (const auto& name : tasks) {
    const PaperTask& task = task_named(name);
    io::write_csv(invented(task), (folder / (std::string(task.stem()) + ".csv")).string());
  }
}

/// What a query gives, one line a row. Times differ from run to run, and no query should ask for them.
inline std::vector<std::string> ask(const std::string& store, const char* query) {
  std::vector<std::string> rows;
  sqlite3* file = nullptr;
  EXPECT_EQ(sqlite3_open(store.c_str(), &file), SQLITE_OK);
  const auto add = [](void* to, int columns, char** values, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i) row += std::string(i > 0 ? "|" : "") + (values[i] ? values[i] : "NULL");
    static_cast<std::vector<std::string>*>(to)->push_back(std::move(row));
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(file, query, add, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(file);
  sqlite3_close(file);
  return rows;
}

inline std::vector<std::string> results_in(const std::string& store) {
  return ask(store, "SELECT * FROM result ORDER BY 1, 2, 3, 4");
}

inline std::vector<std::string> fits_in(const std::string& store) {
  return ask(store,
             "SELECT study, data, method, repeat, outer_fold, inner_fold, seed, units, scores FROM fit "
             "ORDER BY 1, 2, 3, 4, 5, 6, 7");
}

class InventedTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Their data is written; results go to the store of that name.
  ExperimentOptions options(const std::vector<std::string>& tasks, const std::vector<std::string>& methods,
                            const std::string& store = "s.sqlite") {
    write_invented(folder_ / "data", tasks);
    ExperimentOptions options;
    options.folder = path("data");
    options.profile = profile_named("quick");
    for (const auto& name : tasks) options.tasks.push_back(&task_named(name));
    for (const auto& name : methods) options.methods.push_back(&method_named(name));
    auto& opened = stores_[store];
    if (!opened) opened = store::open(path(store));
    options.store = opened.get();
    return options;
  }

  core::TemporaryFolder temporary_;
  fs::path folder_ = temporary_.folder();
  std::map<std::string, std::unique_ptr<store::Store>> stores_;
};

}  // namespace accrete::experiment
