// Runs every committed case of every fuzz target. See tests/fuzz/targets.hpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz::cases_test {
namespace {

const std::filesystem::path cases = std::filesystem::path(ACCRETE_SOURCE_DIR) / "tests/fuzz/cases";

std::vector<std::filesystem::path> files_of(const std::string& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(cases / target)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

TEST(FuzzCases, EveryTargetHasCases) {
  for (const Target& target : targets()) EXPECT_FALSE(files_of(target.name).empty()) << target.name;
  for (const auto& folder : std::filesystem::directory_iterator(cases)) {
    const std::string name = folder.path().filename().string();
    const bool is_known = std::ranges::any_of(targets(), [&](const Target& target) { return name == target.name; });
    EXPECT_TRUE(is_known || name == "request" || name == "png") << name;  // these need the server and libpng
  }
}

TEST(FuzzCases, AreHandled) {
  for (const Target& target : targets())
    for (const auto& path : files_of(target.name)) {
      std::ifstream file(path, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      EXPECT_NO_THROW(target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()})) << path;
      // Every prefix of a short file is a file cut off.
      if (bytes.size() > 256) continue;
      for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_NO_THROW(target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), size})) << path << " " << size;
    }
}

}  // namespace
}  // namespace accrete::fuzz::cases_test
