// Early exit in model files: read back as written, and refused if it does not fit the network.

#include <gtest/gtest.h>

#include <limits>

#include "accrete/core/error.hpp"
#include "tests/io/patched_model.hpp"

namespace accrete::io::model_exit_test {
namespace {

/// Regression of two steps with one exit.
model::Model exit_model() {
  model::Model model = small_model();
  model.early_exit = {.disagreement = 0.001,
                      .confidence = 0.95,
                      .rows = 3000,
                      .differed = 1,
                      .mean_units = 1.7,
                      .exits = {{1, 0.1 + 0.2}},
                      .tolerances = {1.0 / 3.0}};
  return model;
}

TEST(ModelExit, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_model(serialise(exit_model()), path).early_exit, exit_model().early_exit);
  model::Model classes = binary_model();
  classes.early_exit = {
      .disagreement = 0.01, .confidence = 0.9, .rows = 300, .exits = {{1, 0.5}, {2, 0.25}}, .tolerances = {}};
  EXPECT_EQ(parse_model(serialise(classes), path).early_exit, classes.early_exit);
  EXPECT_EQ(serialise(small_model()).find("early_exit"), std::string::npos);
}

TEST(ModelExit, IsRefusedIfItDoesNotFit) {
  const auto with = [](const char* key, const Json& value) {
    return redescribed([&](Json& document) { document["early_exit"][key] = value; }, exit_model());
  };
  EXPECT_EQ(refusal(with("rows", 2000)), "");
  const char* misfit = "the early exit does not fit the network";
  EXPECT_REFUSED(with("disagreement", 1.5), misfit);
  EXPECT_REFUSED(with("confidence", 0.0), misfit);
  EXPECT_REFUSED(with("differed", 4000), misfit);
  EXPECT_REFUSED(with("mean_units", -1.0), misfit);
  EXPECT_REFUSED(with("tolerances", Json::array()), misfit);
  EXPECT_REFUSED(with("tolerances", {0.0}), misfit);
  EXPECT_REFUSED(with("exits", {{{"steps", 2}, {"threshold", 1.0}}}), misfit);  // the whole network
  EXPECT_REFUSED(with("exits", {{{"steps", 0}, {"threshold", 1.0}}}), misfit);
  EXPECT_REFUSED(with("exits", "none"), "'exits' is not a list");
  EXPECT_REFUSED(with("rows", -1), "'rows' is not a count");
  EXPECT_REFUSED(with("tolerances", {"wide"}), "'tolerances' is not a list of numbers");
  EXPECT_REFUSED(redescribed([](Json& document) { document["early_exit"] = 7; }, exit_model()),
                 "the parent of 'disagreement' is not an object");
  model::Model infinite = exit_model();
  infinite.early_exit.exits[0].threshold = std::numeric_limits<double>::infinity();
  EXPECT_THROW(serialise(infinite), core::DataError);
}

}  // namespace
}  // namespace accrete::io::model_exit_test
