#pragma once
// Compiles C with the installed compilers and runs it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/core/temporary_folder.hpp"

namespace accrete::io {

/// A temporary folder for sources, deleted by the destructor.
class CProgram {
 public:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Runs a shell command in the folder; its output goes to "log".
  bool run(const std::string& command) const {
    return std::system(("cd '" + folder_.string() + "' && " + command + " >log 2>&1").c_str()) == 0;
  }

  /// Compiles with warnings as errors; `words` are options and sources.
  void compile(const std::string& compiler, const std::string& words) const {
    EXPECT_TRUE(run(compiler + " -Wall -Wextra -Wpedantic -Werror " + words)) << compiler << " " << words << "\n"
                                                                              << read("log").substr(0, 3000);
  }

 private:
  core::TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.folder();
};

/// Commands such as "gcc -std=c99" for the installed compilers.
inline std::vector<std::string> compilers(std::vector<std::string> wanted) {
  std::erase_if(wanted, [](const std::string& compiler) {
    const std::string command = compiler.substr(0, compiler.find(' '));
    return std::system(("command -v " + command + " >/dev/null 2>&1").c_str()) != 0;
  });
  return wanted;
}
inline std::vector<std::string> c_compilers() {
  return compilers({"gcc -std=c99", "clang -std=c99"});
}
inline std::vector<std::string> cpp_compilers() {
  return compilers({"g++ -std=c++11 -x c++", "clang++ -std=c++20 -x c++"});
}

}  // namespace accrete::io
