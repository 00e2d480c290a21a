// --device, on a machine that may or may not have a GPU.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test {
namespace {

class DeviceFlag : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    ok("data make twonorm -n 60 -o two.csv");
  }
  const std::string search_ = "search two.csv --preset paper --units 4 --learning-rate 0.1 --subsample 1 --folds 2 ";
};

TEST_F(DeviceFlag, AWordThatIsNoDevice) {
  const Ended end = run(search_ + "--device tpu");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: --device tpu: must be cpu, cuda or auto\n");
}

TEST_F(DeviceFlag, AutoAlwaysWorksAndCudaSaysWhyNot) {
  const Ended automatic = run(search_ + "--device auto"), asked = run(search_ + "--device cuda");
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  EXPECT_NE(automatic.err.find("fits are done on"), std::string::npos) << automatic.err;
  if (asked.code == 0) return;  // there is one
  EXPECT_EQ(asked.code, 1);
  EXPECT_EQ(lines(asked.err), 1u) << asked.err;
  EXPECT_TRUE(asked.err.find("no CUDA") != std::string::npos || asked.err.find("no NVIDIA GPU") != std::string::npos)
      << asked.err;
}

TEST_F(DeviceFlag, ExperimentsOtherThanTheTableAreTheCpus) {
  const Ended end = run("experiment run boundary --store s.sqlite --device cuda");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: --device cuda: the fits of 'boundary' are done on the CPU\n");
}

}  // namespace
}  // namespace accrete::cli_test
