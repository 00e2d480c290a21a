// The command line: a list of commands, and what their ends mean to the shell.
//
//   0  done      1  the data, a file or the machine was at fault      2  the words were      130  stopped by Ctrl-C

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <new>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"

namespace accrete::cli {
namespace {

constexpr std::array commands{
    Command{"data", "List and make built-in data, split files", "accrete data make tic-tac-toe -o ttt.csv", add_data},
    Command{
        "train", "Grow a network from a CSV file",
        "accrete train ttt.csv --target target --units 200 --units-per-step 3 --learning-rate 0.5 -o ttt.safetensors",
        add_train},
    Command{"evaluate", "Measure a model on a CSV file, at any number of units",
            "accrete evaluate ttt.safetensors ttt.csv --units 30,90,200", add_evaluate},
    Command{"predict", "Predict the rows of a CSV file",
            "accrete predict ttt.safetensors ttt.csv --units 90 --proba -o p.csv", add_predict},
    Command{"inspect", "Say what a model is", "accrete inspect ttt.safetensors", add_inspect},
    Command{"cv", "Cross-validate a training", "accrete cv ttt.csv --target target --folds 10 --units 200", add_cv},
    Command{"compare", "Hold the usual networks against this one, on the same folds",
            "accrete compare ttt.csv --target target --methods accrete,adam,deep", add_compare},
    Command{"search", "Find good parameters by cross-validation, and train with them",
            "accrete search ttt.csv --target target --folds 10 --store runs.sqlite -o best.safetensors", add_search},
    Command{"grow", "Go on growing a model", "accrete grow ttt.safetensors ttt.csv --units 300 -o bigger.safetensors",
            add_grow},
    Command{"export", "Write a model as ONNX or as C",
            "accrete export ttt.safetensors --onnx ttt.onnx --c ttt.h --units 90", add_export},
    Command{"experiment", "Do the paper's experiments again, and report on them",
            "accrete experiment run table --data DIR --profile quick --store runs.sqlite", add_experiment},
    Command{"report", "Write a page about a model on labelled rows",
            "accrete report ttt.safetensors test.csv -o report.html --figures figures", add_report},
    Command{"deep", "Train a deep network, and grow a new head on it",
            "accrete deep boost cnn.pt mnist/ --units 500 --units-per-step 10 --solver adam -o joined.pt", add_deep},
    Command{"demo", "Show what it is about, in a minute", "accrete demo", add_demo},
    Command{"docs", "Print documentation made from the program itself", "accrete docs parameters", add_docs},
};

std::string version_text() {
  return fmt::format("accrete {}", core::version());
}

/// What every command takes, on the innermost one, where its help shows it.
void add_common(CLI::App& app, Common& common) {
  const auto inner = app.get_subcommands([](CLI::App*) { return true; });
  for (CLI::App* sub : inner) add_common(*sub, common);
  app.set_version_flag("--version", version_text());
  if (!inner.empty()) return;
  app.add_flag("--json", common.json, "figures as one JSON object on standard output");
  app.add_flag("-q,--quiet", common.quiet, "nothing but results and errors");
  app.add_option("--threads", common.threads, "threads to work with; 0 takes all (default)")
      ->type_name("N")
      ->check(whole_number(0, 4096));
}

/// The command that was being parsed, for "see 'accrete data make --help'".
std::string words_so_far(const CLI::App& app) {
  std::string words = "accrete";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    words += " " + at->get_name();
  }
  return words;
}

int run(int argc, char** argv) {
  CLI::App app{"accrete grows neural networks by gradient boosting, and uses any first part of them.", "accrete"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.footer("accrete COMMAND --help says more about a command.");
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
    const auto extra = app.remaining(true);
    const auto option = std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with('-'); });
    throw core::UsageError(fmt::format("'{}' was not expected; see '{} --help'",
                                       option == extra.end() ? extra.front() : *option, words_so_far(app)));
  } catch (const CLI::ParseError& error) {
    throw core::UsageError(fmt::format("{}; see '{} --help'", error.what(), words_so_far(app)));
  }
  for (const auto& [sub, command_run] : runs)
    if (sub->parsed()) {
      command_run();
      return 0;
    }
  fmt::print(stderr, "{}", app.help());
  return 2;
}

/// Runs and tells every kind of end apart.
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
    print_error(error.what());
    return 2;
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
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves early is met as EPIPE, where it can be told from a full disk
  return accrete::cli::run_guarded(argc, argv);
}
