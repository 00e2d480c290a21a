// accrete export --c, from a file with gaps and texts to a C program's predictions.

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::export_c_test {
namespace {

class ExportC : public CommandTest {
 protected:
  ExportC() {
    std::string rows = "size,colour,kind\n";
    const char* colours[] = {"red", "blue", "", "light blue"};
    for (int i = 0; i < 40; ++i)
      rows += (i % 7 == 3 ? "" : std::to_string(1000000 + i * i % 17)) + "," + colours[i % 4] + "," +
              (i % 3 == 0  ? "big"
               : i % 5 < 2 ? "small"
                           : "odd") +
              "\n";
    write("in.csv", rows);
    ok("train in.csv --units 30 --units-per-step 3 --learning-rate 0.5 -o m.safetensors");
  }

  bool shell(const std::string& command) const {
    return std::system(("cd '" + folder_.string() + "' && " + command).c_str()) == 0;
  }
};

TEST_F(ExportC, PredictsTheSameAsTheCommand) {
  EXPECT_EQ(ok("export m.safetensors --c my-model.h").find("my-model.h: 30 units, "), 0u);
  write("main.c", R"(#include <stdio.h>
#include <stdlib.h>
#include "my-model.h"
int main(int argc, char** argv) {
  char line[100];
  float x[my_model_INPUTS], p[my_model_OUTPUTS];
  for (int row = 0; argc == 2 && fgets(line, sizeof line, stdin); ++row) {
    char* comma = strchr(line, ',');
    if (row == 0 || comma == NULL) continue;
    *comma = *strrchr(comma + 1, ',') = 0;
    x[my_model_at_size] = *line ? strtof(line, NULL) : NAN;
    x[my_model_at_colour] = comma[1] ? (float)my_model_level(my_model_at_colour, comma + 1) : NAN;
    if (my_model_predict(x, atoi(argv[1]), p) != my_model_OK) return 1;
    printf("%.9g,%.9g,%.9g\n", p[0], p[1], p[2]);
  }
  return 0;
}
)");
  if (!shell("command -v gcc >/dev/null")) GTEST_SKIP() << "no gcc";
  ASSERT_TRUE(shell("gcc -std=c99 -Wall -Wextra -Wpedantic -Werror main.c -o program -lm"));
  for (const std::string units : {"3", "15", "30"}) {
    ASSERT_TRUE(shell("./program " + units + " <in.csv >c.csv"));
    std::istringstream given(read_file(path("c.csv"))),
        wanted(ok("predict m.safetensors in.csv --proba --units " + units));
    std::string c, ours;
    std::getline(wanted, ours);
    for (int row = 0; row < 40; ++row) {
      ASSERT_TRUE(std::getline(wanted, ours) && std::getline(given, c));
      const char *a = ours.c_str() + ours.find(',') + 1, *b = c.c_str();
      for (int k = 0; k < 3; ++k) {
        char *a_end = nullptr, *b_end = nullptr;
        EXPECT_NEAR(std::strtod(a, &a_end), std::strtod(b, &b_end), 1e-5) << units << " units, row " << row;
        a = a_end + 1, b = b_end + 1;
      }
    }
  }
}

TEST_F(ExportC, TruncatesUnitsAndSetsThePrefix) {
  const auto report = json("export m.safetensors --c cut.h --units 16 --name small");
  EXPECT_EQ(report["units"], 15);
  EXPECT_EQ(report["written"][0]["file"], "cut.h");
  const std::string header = read_file(path("cut.h"));
  EXPECT_EQ(report["written"][0]["bytes"], header.size());
  EXPECT_NE(header.find("small_UNITS = 15,"), std::string::npos);
  EXPECT_EQ(header.find("cut_"), std::string::npos);
}

TEST_F(ExportC, RefusesInvalidNames) {
  for (const std::string name : {"3d", "a-b", "while", "größe"}) {
    const CommandResult end = run("export m.safetensors --c no.h --name " + name);
    EXPECT_EQ(end.code, 2) << name;
    EXPECT_NE(end.err.find("name '" + name + "' is "), std::string::npos) << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_FALSE(exists("no.h"));
  }
  EXPECT_EQ(run("export m.safetensors --c no.h --units 31").code, 2);
  EXPECT_EQ(run("export m.safetensors --c m.safetensors").code, 2);
  EXPECT_EQ(run("export m.safetensors --c -").code, 2);
  EXPECT_EQ(run("export m.safetensors --onnx no.onnx --name prefix").code, 2);
  EXPECT_FALSE(exists("no.onnx"));
  EXPECT_EQ(run("export m.safetensors --c same --onnx ./same").code, 2);
  EXPECT_FALSE(exists("same"));
}

}  // namespace
}  // namespace accrete::cli_test::export_c_test
