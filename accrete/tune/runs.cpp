#include "accrete/tune/runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

/// The index at which this process starts. Processes that share records start at different fits and find each other's
/// results.
std::ptrdiff_t first_of(std::size_t fits) {
  return static_cast<std::ptrdiff_t>(StableHash().add(static_cast<std::uint64_t>(::getpid())).value() % fits);
}

bool has_metric(const FitRecord& record, const std::string& name) {
  return std::ranges::all_of(record.prefixes, [&](const PrefixScores& prefix) {
    return std::ranges::any_of(prefix.metrics, [&](const auto& metric) { return metric.first == name; });
  });
}

}  // namespace

std::uint64_t seed_of(std::uint64_t given, const FitKey& key, const std::string& method) {
  StableHash hash;
  hash.add(given).add(key.data).add(static_cast<std::uint64_t>(key.repeat));
  hash.add(static_cast<std::uint64_t>(key.outer_fold)).add(static_cast<std::uint64_t>(key.inner_fold)).add(method);
  return hash.value() >> 11;
}

/// Ignores a record whose prefixes do not match the requested units, or that lacks the metric because an older version
/// wrote it.
std::optional<FitRecord> Runs::find(const PlannedFit& fit) {
  if (!options_.records) return std::nullopt;
  auto record = options_.records->find(fit.key);
  if (record && std::ranges::equal(record->prefixes, options_.units, {}, &PrefixScores::units) &&
      (options_.metric.empty() || has_metric(*record, options_.metric)))
    return record;
  return std::nullopt;
}

void Runs::fill(const PlannedFit& fit, std::optional<FitRecord>& slot, FitRecord record, bool found) {
  if (!found && options_.records) options_.records->keep(fit.key, record);
  slot = std::move(record);
  const std::scoped_lock lock(counting_);
  ++done_;
  found_ += found;
  if (options_.done) options_.done(done_, options_.planned);
}

/// Runs one fit per thread.
void Runs::run_threads(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots) {
  workers_.run(which.size(), [&](std::size_t m) {
    const PlannedFit& fit = fits[which[m]];
    if (options_.stop && options_.stop()) return;
    auto record = find(fit);  // another process may have finished it
    const bool found = record.has_value();
    if (!found)
      record = fit.method->fit({problem_, *fit.split, fit.settings, options_.units, fit.key.seed}, options_.stop);
    if (record) fill(fit, slots[which[m]], std::move(*record), found);
  });
}

/// Runs all fits at once; they share one method.
void Runs::run_on_device(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots) {
  std::vector<FitTask> tasks;
  for (const std::size_t i : which)
    tasks.push_back({problem_, *fits[i].split, fits[i].settings, options_.units, fits[i].key.seed});
  const auto done = [&](std::size_t m, FitRecord record) {
    fill(fits[which[m]], slots[which[m]], std::move(record), false);
  };
  fits[which.front()].method->fit_many(tasks, done, options_.stop);
}

std::vector<FitRecord> Runs::run(std::span<const PlannedFit> fits) {
  Slots records(fits.size());
  const bool shared = options_.comm && options_.comm->size() > 1;
  if (shared)
    find_shared(fits, records);
  else
    for (std::size_t i = 0; i < fits.size(); ++i) records[i] = find(fits[i]);
  std::vector<std::size_t> missing;
  std::map<const Method*, std::vector<std::size_t>> on_device;
  for (std::size_t i = 0; i < fits.size(); ++i)
    if (!records[i]) (fits[i].method->has_device() ? on_device[fits[i].method] : missing).push_back(i);
  const auto found =
      static_cast<std::size_t>(std::ranges::count_if(records, [](const auto& record) { return record.has_value(); }));
  found_ += found;
  done_ += found;
  if (options_.done) options_.done(done_, options_.planned);
  if (shared && !on_device.empty())
    throw core::UsageError(
        core::message("fits divided among ranks run on the CPU only; use {}", core::parameter("device", "cpu")));
  for (const auto& [method, which] : on_device) run_on_device(fits, which, records);
  if (shared) {
    run_shared(fits, missing, records);
  } else {
    if (options_.records && !missing.empty())
      std::rotate(missing.begin(), missing.begin() + first_of(missing.size()), missing.end());
    run_threads(fits, missing, records);
  }

  std::vector<FitRecord> all;
  for (auto& record : records) {
    if (!record) return {};
    all.push_back(std::move(*record));
  }
  return all;
}

}  // namespace accrete::tune
