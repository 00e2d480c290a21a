#pragma once
// The Python process that fits learners of other libraries.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace accrete::cli {

/// $ACCRETE_PYTHON, which `python -m accrete` sets, or python3.
std::string python_command();

/// A temporary folder that the destructor removes. Throws FileError if it cannot be created.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

enum class ProcessEnd { success, failure, stopped };

/// Runs cli/peers/fit.py with these arguments and writes its output to `log`. Kills it if `stop`, which is polled,
/// returns true. A missing Python command counts as a failure.
ProcessEnd run_python(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                      const std::function<bool()>& stop);

}  // namespace accrete::cli
