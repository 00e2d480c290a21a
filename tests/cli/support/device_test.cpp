// --device, with or without a GPU.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::device_test {
namespace {

/// A command that takes --device, in a folder with data.
class DeviceFlag : public CommandTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    ok("data make twonorm -n 60 -o two.csv");
    ok("train two.csv --preset paper --units 4 -o small.safetensors");
  }
};

TEST_P(DeviceFlag, RefusesUnknownDevices) {
  const CommandResult end = run(std::string(GetParam()) + " --device tpu");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: --device tpu: must be cpu, cuda or auto\n");
}

TEST_P(DeviceFlag, AcceptsAutoAndExplainsMissingCuda) {
  const std::string command = GetParam();
  const CommandResult automatic = run(command + " --device auto"), asked = run(command + " --device cuda");
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  EXPECT_NE(automatic.err.find("fits run on"), std::string::npos) << automatic.err;
  if (asked.code == 0) return;  // a GPU is available
  EXPECT_EQ(asked.code, 1);
  EXPECT_EQ(lines(asked.err), 1u) << asked.err;
  EXPECT_TRUE(asked.err.find("no CUDA") != std::string::npos || asked.err.find("no NVIDIA GPU") != std::string::npos)
      << asked.err;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, DeviceFlag,
    testing::Values("search two.csv --preset paper --units 4 --learning-rate 0.1 --subsample 1 --folds 2",
                    "cv two.csv --preset paper --units 4 --folds 2", "compare two.csv --methods paper --folds 2",
                    "train two.csv --preset paper --units 4 -o two.safetensors",
                    "grow small.safetensors two.csv --units 6 -o two.safetensors"));

class OtherDeviceFlag : public CommandTest {};

TEST_F(OtherDeviceFlag, IsRefusedForPlainMethods) {
  ok("data make twonorm -n 60 -o two.csv");
  const CommandResult end = run("train two.csv --method network --device cuda");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: --device: not available with --method network\n");
}

TEST_F(OtherDeviceFlag, IsRefusedForExperimentsOtherThanTheTable) {
  const CommandResult end = run("experiment run boundary --store s.sqlite --device cuda");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: --device cuda: 'boundary' runs on the CPU only\n");
}

}  // namespace
}  // namespace accrete::cli_test::device_test
