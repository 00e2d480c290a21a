#include "accrete/deep/feature_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "accrete/core/error.hpp"
#include "accrete/deep/checksum.hpp"
#include "accrete/io/atomic_file.hpp"

namespace accrete::deep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* format_name = "accrete features 1";

/// The lines that were written completely.
std::vector<std::string> complete_lines(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

FeatureFile::Lock::Lock(const std::string& path) : fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (fd < 0) throw core::FileError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return;
  ::close(fd);
  throw core::FileError(fmt::format("'{}' is in use by another process", path));
}

FeatureFile::Lock::~Lock() {
  ::close(fd);
}

FeatureFile::FeatureFile(std::string path, const Json& made_with) : path_(std::move(path)), lock_(path_) {
  const bool is_new = !fs::exists(journal());
  if (is_new && fs::file_size(path_) > 0)
    throw core::FileError(fmt::format("'{}' exists and is not a file of features: there is no '{}'", path_, journal()));
  if (is_new) {
    io::AtomicFile file(journal());
    file.write(Json{{"format", format_name}, {"made_with", made_with}}.dump() + "\n");
    file.commit();
  }
  read_journal(made_with);
  in_.open(path_, std::ios::binary);
}

void FeatureFile::read_journal(const Json& made_with) {
  const auto lines = complete_lines(journal());
  const Json header = lines.empty() ? Json() : Json::parse(lines.front(), nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || header.value("format", Json()) != format_name || !header.contains("made_with"))
    throw core::FileError(fmt::format("'{}' is damaged, or is not a journal of features", journal()));
  for (const auto& [name, value] : made_with.items()) {
    const Json before = header["made_with"].value(name, Json());
    if (before == value) continue;
    const bool is_checksum = name != "cut" && name != "batch";
    refuse(is_checksum ? "for another " + name : fmt::format("with {} {}, not {}", name, before.dump(), value.dump()));
  }
  const std::uintmax_t bytes = fs::file_size(path_);
  Batch end{0, 0, 0, 0, 0, lines.front().size() + 1};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Batch batch = end;
    std::istringstream text(lines[i]);
    if (!(text >> batch.rows >> batch.features >> batch.inputs_sum >> batch.features_sum)) break;
    if (batch.rows < 1 || batch.features < 1 || batch.end() > bytes) break;
    batches_.push_back(batch);
    stored_rows_ += batch.rows;
    end.start = batch.end();
    end.journal_start += lines[i].size() + 1;
  }
  end_ = end;
}

std::optional<torch::Tensor> FeatureFile::read_next(const torch::Tensor& inputs) {
  if (next_ == batches_.size()) return std::nullopt;
  const Batch& batch = batches_[next_];
  if (batch.rows != inputs.size(0) || batch.inputs_sum != add_checksum(0, inputs)) refuse("for other examples");
  torch::Tensor features = torch::empty({batch.rows, batch.features});
  in_.read(reinterpret_cast<char*>(features.data_ptr<float>()), static_cast<std::streamsize>(features.nbytes()));
  if (!in_ || add_checksum(0, features) != batch.features_sum) {
    // The system crashed before it had stored these bytes: this batch and those after it are computed again.
    end_ = batch;
    batches_.resize(next_);
    return std::nullopt;
  }
  ++next_;
  return features;
}

void FeatureFile::append(const torch::Tensor& inputs, const torch::Tensor& features) {
  if (!out_.is_open()) {
    std::error_code error;
    fs::resize_file(path_, end_.start, error);
    if (!error) fs::resize_file(journal(), end_.journal_start, error);
    if (error) throw core::FileError(fmt::format("cannot write '{}': {}", path_, error.message()));
    out_.open(path_, std::ios::binary | std::ios::app);
    journal_out_.open(journal(), std::ios::binary | std::ios::app);
  }
  const torch::Tensor values = features.contiguous();
  out_.write(reinterpret_cast<const char*>(values.data_ptr<float>()), static_cast<std::streamsize>(values.nbytes()));
  // The journal may list a batch only after its features are in the file.
  if (!out_.flush()) fail();
  journal_out_ << fmt::format("{} {} {} {}\n", values.size(0), values.size(1), add_checksum(0, inputs),
                              add_checksum(0, values));
  if (!journal_out_.flush()) fail();
}

void FeatureFile::finish() const {
  if (next_ < batches_.size()) refuse("for more examples");
}

void FeatureFile::refuse(const std::string& why) const {
  throw core::UsageError(fmt::format("'{}' was written {}; delete it and '{}' to start over", path_, why, journal()));
}

void FeatureFile::fail() const {
  throw core::FileError(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

}  // namespace accrete::deep
