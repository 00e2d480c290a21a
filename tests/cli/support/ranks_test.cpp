// accrete train on ranks.

#include <fmt/format.h>

#include "accrete/core/version.hpp"
#include "tests/cli/run_ranks.hpp"

namespace accrete::cli_test::ranks_test {
namespace {

class RanksCommand : public RanksTest {
 protected:
  void SetUp() override {
    RanksTest::SetUp();
    if (IsSkipped()) return;
    ok("data make ringnorm -n 20000 -o r.csv");
    const std::string text = read_file(path("r.csv"));
    const std::size_t header = text.find('\n') + 1;
    for (std::size_t part = 0, first = header; part < 4; ++part) {
      const std::size_t last = part == 3 ? text.size() : text.find('\n', header + (part + 1) * text.size() / 5) + 1;
      write("part-" + std::to_string(part) + ".csv", text.substr(0, header) + text.substr(first, last - first));
      first = last;
    }
  }
};

constexpr const char* settings = "--auto off --units 8 --units-per-step 4 --max-iter 10";

TEST_F(RanksCommand, GiveTheBytesOfOneProcess) {
  ok(fmt::format("train r.csv -o one.safetensors {}", settings));
  for (const std::size_t ranks : {2, 3}) {
    for (const char* file : {"r.csv", "'part-*.csv'"}) {
      const CommandResult end = run_ranks(ranks, fmt::format("train {} -o m.safetensors {}", file, settings));
      ASSERT_EQ(end.code, 0) << end.err;
      EXPECT_TRUE(read_file(path("m.safetensors")) == read_file(path("one.safetensors")))
          << ranks << " ranks, " << file;
      EXPECT_EQ(own_lines(end.err), 0u) << end.err;
    }
  }
}

TEST_F(RanksCommand, GrowToTheBytesOfOneProcess) {
  ok(fmt::format("train r.csv -o small.safetensors {}", settings));
  ok("grow small.safetensors r.csv -o one.safetensors --units 12");
  for (const char* file : {"r.csv", "'part-*.csv'"}) {
    const CommandResult end = run_ranks(2, fmt::format("grow small.safetensors {} -o m.safetensors --units 12", file));
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(read_file(path("m.safetensors")) == read_file(path("one.safetensors"))) << file;
  }
  expect_error(run_ranks(2, "grow small.safetensors r.csv -o m.safetensors --units 8"), 2, "already has 8");
}

TEST_F(RanksCommand, ReportAnErrorOnce) {
  write("part-2.csv", "other,columns\n1,2\n");
  const CommandResult end = run_ranks(2, fmt::format("train 'part-*.csv' -o m.safetensors {}", settings));
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(own_lines(end.err), 1u) << end.err;
  EXPECT_FALSE(exists("m.safetensors"));
}

TEST_F(RanksCommand, RefuseARankOfAnotherVersion) {
  std::string program = read_file(ACCRETE_COMMAND);
  const std::string version = core::version(), other = "9" + version.substr(1);
  for (std::size_t at = 0; (at = program.find(version, at)) != program.npos;) program.replace(at, other.size(), other);
  write("1", program);
  fs::permissions(path("1"), fs::perms::owner_all);
  fs::create_symlink(ACCRETE_COMMAND, path("0"));
  const std::string expected = fmt::format("rank 1 runs accrete {} for", other);
  expect_error(run_ranks(2, fmt::format("train r.csv -o m.safetensors {}", settings), "./$rank"), 1, expected);
  expect_error(run_ranks(2, "predict m.safetensors r.csv", "./$rank"), 1, expected);
  EXPECT_FALSE(exists("m.safetensors"));
}

TEST_F(RanksCommand, RefuseOtherCommands) {
  expect_error(run_ranks(2, "data list"), 2, "'data' runs in one process");
}

}  // namespace
}  // namespace accrete::cli_test::ranks_test
