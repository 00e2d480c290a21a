#pragma once
// The commands, one file each. main.cpp lists them.

#include "cli/command.hpp"

namespace accrete::cli {

Run add_data(CLI::App& app, const Common& common);
Run add_data_split(CLI::App& app, const Common& common);  ///< subcommand of `accrete data`
Run add_train(CLI::App& app, const Common& common);
Run add_evaluate(CLI::App& app, const Common& common);
Run add_predict(CLI::App& app, const Common& common);
Run add_dial(CLI::App& app, const Common& common);
Run add_explain(CLI::App& app, const Common& common);
Run add_inspect(CLI::App& app, const Common& common);
Run add_cv(CLI::App& app, const Common& common);
Run add_search(CLI::App& app, const Common& common);
Run add_compare(CLI::App& app, const Common& common);
Run add_experiment(CLI::App& app, const Common& common);
Run add_report(CLI::App& app, const Common& common);
Run add_grow(CLI::App& app, const Common& common);
Run add_export(CLI::App& app, const Common& common);
Run add_serve(CLI::App& app, const Common& common);
Run add_deep(CLI::App& app, const Common& common);
Run add_demo(CLI::App& app, const Common& common);
Run add_docs(CLI::App& app, const Common& common);

}  // namespace accrete::cli
