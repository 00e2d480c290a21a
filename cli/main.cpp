// The command line: the list of commands and the exit codes.
//
//   0  success      1  error in the data, a file or the system      2  wrong usage      130  stopped by Ctrl-C, SIGTERM
//   or SIGHUP

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <new>
#include <string_view>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/core/version.hpp"
#include "accrete/io/file_text.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/ranks.hpp"

namespace accrete::cli {
namespace {

constexpr std::array commands{
    Command{"data", "List and generate built-in data, split files", "accrete data make tic-tac-toe -o ttt.csv",
            add_data},
    Command{
        "train", "Train a model on a CSV file",
        "accrete train ttt.csv --target target --units 200 --units-per-step 3 --learning-rate 0.5 -o ttt.safetensors",
        add_train},
    Command{"evaluate", "Compute the metrics of a model on a CSV file, at one or several numbers of units",
            "accrete evaluate ttt.safetensors ttt.csv --units 30,90,200", add_evaluate},
    Command{"predict", "Predict the rows of a CSV file",
            "accrete predict ttt.safetensors ttt.csv --units 90 --proba -o p.csv", add_predict},
    Command{"dial", "Choose the thresholds of early exit, with a bound on changed predictions",
            "accrete dial ttt.safetensors held_out.csv --disagreement 0.001 --confidence 0.95", add_dial},
    Command{"explain", "Write what every column contributes to the score of every row",
            "accrete explain ttt.safetensors ttt.csv --units 90 -o contributions.csv", add_explain},
    Command{"inspect", "Describe a model file", "accrete inspect ttt.safetensors", add_inspect},
    Command{"cv", "Cross-validate a configuration", "accrete cv ttt.csv --target target --folds 10 --units 200",
            add_cv},
    Command{"compare", "Compare with plain networks, AdaBoost and trees on the same folds",
            "accrete compare ttt.csv --target target --methods accrete,adam,forest", add_compare},
    Command{"search", "Search a parameter grid by cross-validation, train the best",
            "accrete search ttt.csv --target target --folds 10 --store runs.sqlite -o best.safetensors", add_search},
    Command{"grow", "Add units to a trained model",
            "accrete grow ttt.safetensors ttt.csv --units 300 -o bigger.safetensors", add_grow},
    Command{"export", "Export a model to ONNX or C",
            "accrete export ttt.safetensors --onnx ttt.onnx --c ttt.h --units 90", add_export},
    Command{"serve", "Serve models over HTTP (Open Inference Protocol)",
            "accrete serve ttt.safetensors --port 8080\n"
            "  curl localhost:8080/v2/models/ttt\n"
            "  accrete serve models/ --latency 2ms --min-units 30 --token-file token.txt --log access.jsonl",
            add_serve},
    Command{"experiment", "Reproduce the paper's experiments and report the results",
            "accrete experiment run table --data DIR --profile quick --store runs.sqlite", add_experiment},
    Command{"report", "Write an HTML report of a model on labelled rows",
            "accrete report ttt.safetensors test.csv -o report.html --figures figures", add_report},
    Command{"deep", "Train a deep network and boost a new head on it",
            "accrete deep boost cnn.pt mnist/ --units 500 --units-per-step 10 --solver adam -o joined.pt", add_deep},
    Command{"demo", "Train a small network and show it at several sizes", "accrete demo", add_demo},
    Command{"docs", "Print generated documentation", "accrete docs parameters", add_docs},
};

/// Commands that run across the ranks of an MPI launcher; experiment checks its subcommands itself.
constexpr std::array<std::string_view, 7> commands_on_ranks{"train",   "grow",     "search", "experiment",
                                                            "predict", "evaluate", "cv"};

std::string version_text() {
  return fmt::format("accrete {}", core::version());
}

/// Options of every command. They are added to the innermost subcommand, whose help lists them.
void add_common(CLI::App& app, Common& common) {
  const auto inner = app.get_subcommands([](CLI::App*) { return true; });
  for (CLI::App* sub : inner) add_common(*sub, common);
  app.set_version_flag("--version", version_text());
  if (!inner.empty()) return;
  app.add_flag("--json", common.json, "print results as one JSON object");
  app.add_flag("-q,--quiet", common.quiet, "print only results and errors");
  app.add_option("--threads", common.threads, "number of threads; 0: all (default)")
      ->type_name("N")
      ->check(whole_number(0, 4096));
}

/// The innermost subcommand that was being parsed when an error occurred.
const CLI::App& parsed_app(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

/// For "see 'accrete data make --help'".
std::string parsed_command(const CLI::App& app) {
  std::string words;
  for (const CLI::App* at = &parsed_app(app); at; at = at->get_parent())
    words = words.empty() ? at->get_name() : fmt::format("{} {}", at->get_name(), words);
  return words;
}

/// Throws for an argument that no option or command takes, with a suggestion among the options or commands.
[[noreturn]] void refuse_extra(const CLI::App& app) {
  const auto extra = app.remaining(true);
  const auto option = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with('-'); });
  std::string word = option == extra.end() ? extra.front() : *option, names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  if (word.starts_with("--")) {
    word.resize(std::min(word.find('='), word.size()));
    for (const CLI::Option* known : parsed_app(app).get_options())
      for (const std::string& name : known->get_lnames()) add("--" + name);
  } else {
    for (const CLI::App* known : parsed_app(app).get_subcommands([](const CLI::App*) { return true; }))
      add(known->get_name());
  }
  throw core::UsageError(fmt::format("'{}' was not expected; see '{} --help'{}", word, parsed_command(app),
                                     core::did_you_mean(word, names)));
}

int run(int argc, char** argv) {
  CLI::App app{
      "accrete trains neural networks on tabular data by gradient boosting. A model can predict with its first units "
      "only.",
      "accrete"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.footer("Run accrete COMMAND --help for the options of a command.");
  Common common;
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    runs.emplace_back(sub, command.add(*sub, common));
    sub->footer(fmt::format("Example:\n  {}", command.example));
    add_common(*sub, common);
  }
  app.get_subcommand("docs")->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::string help = app.help();
    if (!help.ends_with("\n")) help += "\n";
    print(help);
    return 0;
  } catch (const CLI::CallForVersion& call) {
    print(std::string(call.what()) + "\n");
    return 0;
  } catch (const CLI::ExtrasError&) {
    refuse_extra(app);
  } catch (const CLI::RequiredError& error) {
    if (const auto inner = parsed_app(app).get_subcommands([](const CLI::App*) { return true; });
        !inner.empty() && !app.remaining(true).empty())
      refuse_extra(app);  // a word where a subcommand was expected
    throw core::UsageError(fmt::format("{}; see '{} --help'", error.what(), parsed_command(app)));
  } catch (const CLI::ParseError& error) {
    throw core::UsageError(fmt::format("{}; see '{} --help'", error.what(), parsed_command(app)));
  }
  for (const auto& [sub, command_run] : runs)
    if (sub->parsed()) {
      if (std::ranges::find(commands_on_ranks, sub->get_name()) == commands_on_ranks.end())
        refuse_ranks(sub->get_name());
      command_run();
      return 0;
    }
  fmt::print(stderr, "{}", app.help());
  return 2;
}

/// Maps exceptions to exit codes.
int run_guarded(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    finish_output();
    return code;
  } catch (const OutputError& error) {
    if (error.broken_pipe) return 0;
    print_error(error.message);
    return 1;
  } catch (const Interrupted& end) {
    print_error(end.message);
    return 130;
  } catch (const core::UsageError& error) {
    print_error(error.message());
    return 2;
  } catch (const core::Error& error) {
    print_error(error.message());
    return 1;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
    return 1;
  } catch (const std::exception& error) {
    print_error(error.what());
    return 1;
  }
}

}  // namespace
}  // namespace accrete::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // makes writes to a closed pipe fail with EPIPE, which is distinct from a full disk
  std::signal(SIGXFSZ, SIG_IGN);  // makes writes beyond the limit on file sizes fail with EFBIG
  accrete::cli::report_bus_errors();
  accrete::io::map_large_files();
  accrete::cli::catch_interrupts();
  return accrete::cli::run_guarded(argc, argv);
}
