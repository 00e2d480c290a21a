#include "accrete/tune/runs/memory_records.hpp"

namespace accrete::tune {

std::optional<FitRecord> MemoryRecords::find(const FitKey& key) {
  const std::scoped_lock lock(mutex_);
  const auto at = fits_.find(key);
  return at == fits_.end() ? std::nullopt : std::optional(at->second);
}

void MemoryRecords::keep(const FitKey& key, const FitRecord& record) {
  const std::scoped_lock lock(mutex_);
  fits_.insert_or_assign(key, record);
}

std::map<FitKey, FitRecord> MemoryRecords::all() const {
  const std::scoped_lock lock(mutex_);
  return fits_;
}

std::size_t MemoryRecords::size() const {
  const std::scoped_lock lock(mutex_);
  return fits_.size();
}

}  // namespace accrete::tune
