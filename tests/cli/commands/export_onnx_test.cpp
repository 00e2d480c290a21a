// accrete export --onnx: what it expected and leaves behind. What is in the file is for tests/onnx.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::export_onnx_test {
namespace {

class ExportOnnx : public CommandTest {
 protected:
  ExportOnnx() {
    write("train.csv", "x,y\n1,2.5\n2,3.5\n3,4.75\n4,5.25\n5,7\n");
    ok("train train.csv --units 8 --units-per-step 4 -o m.safetensors");
  }

  void expect_refusal(const std::string& arguments, int code, const std::vector<std::string>& expected) const {
    const CommandResult end = run("export " + arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_EQ(end.out, "");
    for (const auto& text : expected)
      EXPECT_NE(end.err.find(text), std::string::npos) << text << " is not in: " << end.err;
    EXPECT_FALSE(exists("out.onnx"));
  }
};

TEST_F(ExportOnnx, WritesTheGivenNumberOfUnits) {
  const CommandResult end = run("export m.safetensors --onnx out.onnx --units 5 --json");
  if (end.err.find("cannot write ONNX") != std::string::npos) GTEST_SKIP() << "built without ONNX";
  ASSERT_EQ(end.code, 0) << end.err;
  const auto report = nlohmann::json::parse(end.out);
  EXPECT_EQ(report["units"], 4);
  EXPECT_EQ(report["written"][0]["file"], "out.onnx");
  EXPECT_EQ(report["written"][0]["bytes"], read_file(path("out.onnx")).size());
  const std::string first = read_file(path("out.onnx"));
  ok("export m.safetensors --onnx again.onnx --units 4");
  EXPECT_EQ(read_file(path("again.onnx")), first);
  EXPECT_EQ(ok("export m.safetensors --onnx dial.onnx --dial -q"), "");
  EXPECT_NE(read_file(path("dial.onnx")).find("units"), std::string::npos);
}

TEST_F(ExportOnnx, RefusesBadArguments) {
  expect_refusal("m.safetensors", 2, {"--onnx FILE"});
  expect_refusal("m.safetensors --dial --c out.h", 2, {"--dial", "--onnx"});
  EXPECT_FALSE(exists("out.h"));
  expect_refusal("m.safetensors --onnx out.onnx --units 9", 2, {"9 units", "8"});
  expect_refusal("m.safetensors --onnx out.onnx --units 3", 2, {"3 units", "4"});
  expect_refusal("m.safetensors --onnx out.onnx --units 0", 2, {"--units", "0"});
  expect_refusal("m.safetensors --onnx m.safetensors", 2, {"m.safetensors"});
  expect_refusal("m.safetensors --onnx nowhere/out.onnx", 1, {"nowhere"});
  expect_refusal("train.csv --onnx out.onnx", 1, {"train.csv"});
  expect_refusal("none.safetensors --onnx out.onnx", 1, {"none.safetensors"});
}

}  // namespace
}  // namespace accrete::cli_test::export_onnx_test
