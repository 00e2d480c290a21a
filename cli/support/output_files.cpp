#include "cli/support/output_files.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"

namespace accrete::cli {

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw core::FileError(fmt::format("cannot create directory '{}': {}", path, error.message()));
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const auto& input : inputs)
    if (std::filesystem::equivalent(path, input, error))
      throw core::UsageError(fmt::format("the output '{}' would overwrite the input '{}'", path, input));
  const auto type = std::filesystem::status(path, error).type();
  // Pipes and devices are opened only once, for the actual output.
  using std::filesystem::file_type;
  if (type == file_type::regular || type == file_type::not_found || type == file_type::directory ||
      type == file_type::none)
    io::AtomicFile probe(path);
}

}  // namespace accrete::cli
