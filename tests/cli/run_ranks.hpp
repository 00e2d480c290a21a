#pragma once
// Runs the accrete command on the ranks of a real launcher. Its tests are skipped in a build without MPI.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test {

class RanksTest : public CommandTest {
 protected:
  void SetUp() override {
#ifndef ACCRETE_MPIRUN
    GTEST_SKIP() << "built without MPI";
#endif
  }

  /// A shell on each rank runs the program with the arguments. In both, $rank is the number of the rank.
  CommandResult run_ranks(std::size_t ranks, const std::string& arguments,
                          const std::string& program = ACCRETE_COMMAND) const {
#ifdef ACCRETE_MPIRUN
    write(".each.sh", "rank=$OMPI_COMM_WORLD_RANK$PMI_RANK\nexec \"" + program + "\" " + arguments + " --threads 1\n");
    const std::string line = "cd '" + folder_.string() +
                             "' && OMPI_MCA_rmaps_base_oversubscribe=1 timeout 120 '" ACCRETE_MPIRUN
                             "' --oversubscribe --allow-run-as-root -np " +
                             std::to_string(ranks) + " sh .each.sh >.out 2>.err";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(path(".out")), read_file(path(".err"))};
#else
    return {static_cast<int>(ranks), arguments, program};
#endif
  }

  /// Lines that accrete wrote, not the launcher.
  static std::size_t own_lines(const std::string& text) {
    std::size_t count = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) count += line.starts_with("accrete: ") ? 1 : 0;
    return count;
  }

  /// One line of accrete with the text, and the exit code.
  static void expect_error(const CommandResult& end, int code, const std::string& text) {
    EXPECT_EQ(end.code, code) << end.err;
    EXPECT_EQ(own_lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find(text), std::string::npos) << end.err;
    EXPECT_EQ(end.out, "");
  }
};

}  // namespace accrete::cli_test
