#pragma once
// Records in memory, for fits that other processes ran and sent back.

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "accrete/tune/records.hpp"

namespace accrete::tune {

class MemoryRecords : public Records {
 public:
  std::optional<FitRecord> find(const FitKey& key) override;
  void keep(const FitKey& key, const FitRecord& record) override;

  std::map<FitKey, FitRecord> all() const;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<FitKey, FitRecord> fits_;
};

}  // namespace accrete::tune
