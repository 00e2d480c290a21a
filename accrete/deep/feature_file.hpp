#pragma once
// Features on disk, so that computing them can be interrupted, even by a crash, and resumed.
//
// FILE has the features as float32, row by row. FILE.journal has one line for what they were computed with, and one for
// each finished batch, with checksums of its examples and features. A batch that the journal does not list was not
// finished.

#include <torch/types.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace accrete::deep {

class FeatureFile {
 public:
  /// Opens or creates the file. `made_with` is everything but the examples that determines the features: "cut", "batch"
  /// and checksums. Throws FileError if the file cannot be written, is not one of features, or is open in another
  /// process, and UsageError if it was made with something else.
  FeatureFile(std::string path, const nlohmann::json& made_with);
  FeatureFile(const FeatureFile&) = delete;
  FeatureFile& operator=(const FeatureFile&) = delete;

  const std::string& path() const { return path_; }
  /// Number of rows that the file had when it was opened.
  std::int64_t stored_rows() const { return stored_rows_; }

  /// The features of the next batch, if the file has them. Throws UsageError if they are those of other examples.
  std::optional<torch::Tensor> read_next(const torch::Tensor& inputs);
  /// Appends the features of the batch for which read_next had none. Throws FileError if the disk is full.
  void append(const torch::Tensor& inputs, const torch::Tensor& features);
  /// After the last batch. Throws UsageError if the file has more.
  void finish() const;

 private:
  struct Batch {
    std::int64_t rows, features;
    std::uint32_t inputs_sum, features_sum;
    std::uintmax_t start, journal_start;  ///< where its features and its line start

    std::uintmax_t end() const { return start + static_cast<std::uintmax_t>(rows * features) * sizeof(float); }
  };

  /// Locks out other processes; closes the file.
  struct Lock {
    explicit Lock(const std::string& path);
    ~Lock();
    int fd;
  };

  void read_journal(const nlohmann::json& made_with);
  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void fail() const;
  std::string journal() const { return path_ + ".journal"; }

  std::string path_;
  Lock lock_;
  std::vector<Batch> batches_;  ///< those that the file had when it was opened
  Batch end_{};                 ///< where the next batch is appended
  std::size_t next_ = 0;
  std::int64_t stored_rows_ = 0;
  std::ifstream in_;
  std::ofstream out_, journal_out_;
};

}  // namespace accrete::deep
