#include "cli/support/named_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/tune/contender.hpp"
#include "cli/peers/peer.hpp"
#include "cli/peers/process.hpp"

namespace accrete::cli {

std::string list_named_methods() {
  std::string names;
  for (const auto& setup : tune::contenders()) names += setup.name + ", ";
  for (const PeerSetup& peer : peers()) names += std::string(peer.name) + ", ";
  return names.substr(0, names.size() - 2);
}

void check_method_names(const std::vector<std::string>& names, const std::string& flag) {
  const std::string known = list_named_methods();
  for (const std::string& name : names)
    if ((", " + known + ",").find(", " + name + ",") == std::string::npos)
      throw core::UsageError(
          fmt::format("{} {}: must be from {}{}", flag, name, known, core::did_you_mean(name, known)));
}

NamedMethods make_named_methods(const std::vector<std::string>& names, const std::string& flag,
                                const NamedMethodTask& task) {
  check_method_names(names, flag);
  const auto is_wanted = [&](const std::string& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  NamedMethods all;
  for (const auto& setup : tune::contenders())
    if (is_wanted(setup.name)) {
      auto method =
          std::make_shared<tune::Contender>(setup, task.weight_column, task.target.task, task.device, task.workers);
      std::string reason = method->unsupported_reason(task.target);
      all.list.push_back({std::move(method), setup.summary, std::move(reason)});
    }
  if (std::ranges::none_of(peers(), [&](const PeerSetup& peer) { return is_wanted(peer.name); })) return all;
  const auto installed = installed_packages();
  for (const PeerSetup& peer : peers()) {
    if (!is_wanted(peer.name)) continue;
    const auto version = installed.find(peer.package);
    if (version == installed.end()) {
      if (!names.empty())
        throw core::UsageError(
            fmt::format("{} {}: {} is not installed for {}", flag, peer.name, peer.package, python_command()));
      all.missing.emplace_back(peer.name);
      continue;
    }
    all.list.push_back(
        {std::make_shared<Peer>(peer, version->second, task.weight_column),
         fmt::format("{} ({})", peer.summary, version->second),
         task.target.names.size() == 1 ? "" : fmt::format("it predicts one target, not {}", task.target.names.size())});
  }
  return all;
}

}  // namespace accrete::cli
