// accrete export: writes a model as ONNX or C.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/c_source.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/predict_exit.hpp"
#include "accrete/onnx/onnx.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

struct ExportFlags {
  std::string model;
  std::optional<std::size_t> units;
  std::string name;   ///< prefix of the C functions
  bool dial = false;  ///< ONNX: the number of units is an input
  std::vector<std::string> files;
};

struct ExportFormat {
  const char* flag;
  const char* what;
  /// The file's bytes. The model is already truncated to --units.
  std::string (*write)(const model::Model& model, const ExportFlags& flags, const std::string& path);
};

constexpr std::array formats{
    ExportFormat{"--onnx", "ONNX file to write (opset 13)",
                 [](const model::Model& model, const ExportFlags& flags, const std::string&) {
                   return onnx::write(model, {.dial = flags.dial});
                 }},
    ExportFormat{"--c", "C99 header to write; needs only math.h",
                 [](const model::Model& model, const ExportFlags& flags, const std::string& path) {
                   return io::c_source(model, {.name = flags.name.empty() ? io::c_name(path) : flags.name});
                 }},
};

constexpr std::size_t onnx_format = 0, c_format = 1;  ///< in formats

void check(const ExportFlags& flags) {
  std::string names;
  bool any = false;
  std::vector<std::filesystem::path> places;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    names += (f > 0 ? " or " : "") + std::string(formats[f].flag) + " FILE";
    any = any || !flags.files[f].empty();
    if (flags.files[f].empty()) continue;
    if (flags.files[f] == "-") throw core::UsageError(fmt::format("{} -: must be a file name", formats[f].flag));
    check_output(flags.files[f], {flags.model});
    const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(flags.files[f]));
    if (std::ranges::find(places, place) != places.end())
      throw core::UsageError(
          fmt::format("{} {}: another format is written to this file; name another", formats[f].flag, flags.files[f]));
    places.push_back(place);
  }
  if (!any) throw core::UsageError(fmt::format("nothing to write: give {}", names));
  if (flags.dial && flags.files[onnx_format].empty()) throw core::UsageError("--dial needs --onnx FILE");
  if (!flags.name.empty() && flags.files[c_format].empty())
    throw core::UsageError(fmt::format("--name {}: needs --c FILE", flags.name));
}

void run_export(const ExportFlags& flags, const Common& common) {
  check(flags);
  model::Model model = io::load_model(flags.model);
  const bool had_exits = model.early_exit.disagreement > 0.0;
  model.truncate(steps_for(model, flags.units.value_or(0), common));
  if (had_exits && !(model.early_exit.disagreement > 0.0))
    note(common,
         "the export has no early exit, because the model's thresholds are for all units; export without --units to "
         "keep it");
  if (model.early_exit.disagreement > 0.0 && !flags.files[onnx_format].empty())
    note(common, fmt::format("{} has {}", flags.files[onnx_format], model::exit_note(model)));
  Json written = Json::array();
  for (std::size_t f = 0; f < formats.size(); ++f) {
    const std::string& path = flags.files[f];
    if (path.empty()) continue;
    const std::string bytes = formats[f].write(model, flags, path);
    io::AtomicFile file(path);
    file.write(bytes);
    file.commit();
    written.push_back({{"file", path}, {"bytes", bytes.size()}});
    if (!common.json && !common.quiet)
      print(fmt::format("{}: {}, {} bytes\n", path, core::counted(model.network.units(), "unit"), bytes.size()));
  }
  if (common.json) print_json({{"model", flags.model}, {"units", model.network.units()}, {"written", written}});
}

}  // namespace

Run add_export(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ExportFlags>();
  flags->files.resize(formats.size());
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  for (std::size_t f = 0; f < formats.size(); ++f)
    app.add_option(formats[f].flag, flags->files[f], formats[f].what)->type_name("FILE")->check(not_empty);
  app.add_option("--units", flags->units, "export the first N units, rounded down to a step (default: all)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--dial", flags->dial, "ONNX: make the number of units an input; 0 selects all");
  app.add_option("--name", flags->name, "C: prefix of the functions (default: from the file name)")
      ->type_name("NAME")
      ->check(not_empty);
  return [flags, &common] { run_export(*flags, common); };
}

}  // namespace accrete::cli
