#include "cli/deep/boost_report.hpp"

#include <fmt/format.h>

#include "accrete/core/counted.hpp"
#include "cli/support/fitting.hpp"

namespace accrete::cli {
namespace {

std::string show_metrics(const BoostReport& report) {
  std::string text;
  for (const auto& [name, value] : report.metrics)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, show_metric(name, value));
  return text + " on these rows";
}

std::string show_times(const BoostReport& report) {
  const auto share = report.time_share();
  return fmt::format("{} for the features, {} for the head{}", show_seconds(report.frozen.seconds),
                     show_seconds(report.seconds),
                     share ? fmt::format("; {:.3g} % of the network's training time", 100.0 * *share) : "");
}

}  // namespace

std::optional<double> BoostReport::time_share() const {
  const auto& record = frozen.network.record;
  const auto training = record.find("training");
  if (training == record.end() || !training->contains("seconds") || !training->at("seconds").is_number()) return {};
  const double whole = training->at("seconds");
  if (!(whole > 0.0)) return {};
  return (frozen.seconds + seconds) / whole;
}

std::string boost_text(const BoostReport& report) {
  const model::Model& head = report.fit.model;
  const auto& curves = head.provenance;
  const std::size_t steps = head.network.steps();
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back(
      "data", fmt::format("{}: {}", report.flags.dataset.path, core::counted(report.frozen.table.rows(), "row")));
  facts.emplace_back("features", fmt::format("{} from {}{}", head.encoder.inputs().size(), report.flags.network,
                                             report.flags.cut.empty() ? "" : ", cut at " + report.flags.cut));
  facts.emplace_back("task", data::task_name(head.task));
  if (!head.classes.empty()) facts.emplace_back("classes", show_list(head.classes));
  facts.emplace_back("preset", report.preset);
  facts.emplace_back("units", show_units(report.fit));
  if (!curves.choice.trials.empty()) facts.emplace_back("chosen", show_choice(curves.choice));
  facts.emplace_back("loss",
                     fmt::format("{} on the training rows, from {}", show_loss(head, curves.train_loss.at(steps)),
                                 show_number(curves.train_loss.front())));
  if (const auto held_out = held_out_loss(head)) facts.emplace_back("held out", show_held_out(head, *held_out));
  facts.emplace_back("measured", show_metrics(report));
  facts.emplace_back("time", show_times(report));
  facts.emplace_back("saved",
                     report.output + (report.head_output.empty() ? "" : "; the head alone: " + report.head_output));
  return list_facts(facts);
}

Json boost_json(const BoostReport& report) {
  const model::Model& head = report.fit.model;
  const std::size_t steps = head.network.steps();
  Json json{{"network", report.output},
            {"task", data::task_name(head.task)},
            {"classes", head.classes},
            {"examples", report.frozen.table.rows()},
            {"features", head.encoder.inputs().size()},
            {"units", head.network.units()},
            {"steps", steps},
            {"loss", head.loss.name()},
            {"train_loss", head.provenance.train_loss.at(steps)}};
  if (const auto held_out = held_out_loss(head)) json["validation_loss"] = held_out->loss;
  for (const auto& [name, value] : report.metrics) json["train"][name] = value;
  json["feature_seconds"] = report.frozen.seconds;
  json["seconds"] = report.seconds;
  if (const auto share = report.time_share()) json["share_of_training"] = *share;
  json["preset"] = report.preset;
  json["parameters"] = parameters_json(config::settings_of(report.fit.config));
  json["notes"] = notes_json(report.fit.notes);
  if (!report.head_output.empty()) json["head"] = report.head_output;
  return json;
}

}  // namespace accrete::cli
