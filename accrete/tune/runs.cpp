#include "accrete/tune/runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

/// Where this process begins. Those that share records begin at different places, and each finds what others did.
std::ptrdiff_t first_of(std::size_t fits) {
  return static_cast<std::ptrdiff_t>(StableHash().add(static_cast<std::uint64_t>(::getpid())).value() % fits);
}

}  // namespace

std::uint64_t seed_of(std::uint64_t given, const FitKey& key, const std::string& method) {
  StableHash hash;
  hash.add(given).add(key.data).add(static_cast<std::uint64_t>(key.repeat));
  hash.add(static_cast<std::uint64_t>(key.outer_fold)).add(static_cast<std::uint64_t>(key.inner_fold)).add(method);
  return hash.value() >> 11;
}

/// A record with other scores than those that are wanted, which none should be, counts as none.
std::optional<FitRecord> Runs::find(const PlannedFit& fit) {
  if (!options_.records) return std::nullopt;
  auto record = options_.records->find(fit.key);
  if (record && std::ranges::equal(record->prefixes, options_.units, {}, &PrefixScores::units)) return record;
  return std::nullopt;
}

std::vector<FitRecord> Runs::run(std::span<const PlannedFit> fits) {
  std::vector<std::optional<FitRecord>> records(fits.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < fits.size(); ++i)
    if (records[i] = find(fits[i]); !records[i]) missing.push_back(i);
  found_ += fits.size() - missing.size();
  done_ += fits.size() - missing.size();
  if (options_.done) options_.done(done_, options_.planned);
  if (options_.records && !missing.empty()) std::ranges::rotate(missing, missing.begin() + first_of(missing.size()));

  std::mutex counting;
  workers_.run(missing.size(), [&](std::size_t m) {
    const PlannedFit& fit = fits[missing[m]];
    if (options_.stop && options_.stop()) return;
    auto record = find(fit);  // another process may have done it meanwhile
    const bool found = record.has_value();
    if (!found) {
      record = fit.method->fit({problem_, *fit.split, fit.settings, options_.units, fit.key.seed}, options_.stop);
      if (!record) return;
      if (options_.records) options_.records->keep(fit.key, *record);
    }
    records[missing[m]] = std::move(record);
    const std::scoped_lock lock(counting);
    ++done_;
    found_ += found;
    if (options_.done) options_.done(done_, options_.planned);
  });
  std::vector<FitRecord> all;
  for (auto& record : records) {
    if (!record) return {};
    all.push_back(std::move(*record));
  }
  return all;
}

}  // namespace accrete::tune
