#include "report/experiment/documents.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/report/experiment/invented_results.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::report::documents_test {
namespace {

TEST(ExperimentDocuments, ReadsEveryKind) {
  const auto results = invented_everything();
  const auto curves = read_curves(results, "quick");
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0].curve.units, (std::vector<double>{3, 6, 9}));
  EXPECT_EQ(curves[0].settings, (tune::Settings{{"units_per_step", "3"}}));
  const auto times = read_times(results, "quick");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].full.mean, (std::vector<double>{0.5, 1.0}));
  const auto totals = read_training_times(results, "quick");
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].mean, 0.25);
  const auto boundaries = read_boundaries(results, "quick");
  ASSERT_EQ(boundaries.size(), 2u);
  EXPECT_EQ(boundaries[0].panels[4].units, 100u);
  EXPECT_EQ(boundaries[0].classes, (std::vector<int>{0, 1}));
  EXPECT_EQ(boundaries[0].y, (std::vector<double>{-1.5, 3.0}));
}

TEST(ExperimentDocuments, IgnoresOtherProfiles) {
  EXPECT_TRUE(read_curves(invented_everything(), "paper").empty());
  EXPECT_TRUE(read_boundaries(invented_everything(), "paper").empty());
}

template <class Read>
void expect_refusal(const store::Result& result, Read read) {
  const std::string said = thrown_message<core::FileError>([&] { read({result}, "quick"); });
  EXPECT_NE(said.find(result.key.experiment), std::string::npos) << said << ": " << result.document;
  EXPECT_NE(said.find("cannot read"), std::string::npos) << said << ": " << result.document;
}

TEST(ExperimentDocuments, RefusesInconsistentDocuments) {
  for (const char* text : {"", "[]", "{}", "{\"metric\":1}",
                           R"({"metric":"rmse","folds":10,"settings":{},"units":[1,2],"mean":[1],"se":[1,2]})",
                           R"({"metric":"rmse","folds":10,"settings":{},"units":[],"mean":[],"se":[]})"})
    expect_refusal({{"curves", "quick", "iris", "gbnn"}, text}, read_curves);
  expect_refusal({{"times", "quick", "iris", "gbnn"}, R"({"folds":3,"early":{}})"}, read_times);
  expect_refusal(invented_training_time("atlantis", "gbnn", 1.0), read_training_times);
  for (const char* text :
       {R"({"limit":5,"side":2,"points":[],"panels":[{"units":1,"accuracy":1,"probability":[0,0,1]}]})",
        R"({"limit":5,"side":1,"points":[[0,0,2]],"panels":[]})", R"({"limit":0,"side":1,"points":[],"panels":[]})"})
    expect_refusal({{"boundary", "quick", "ringnorm2d", "gbnn"}, text}, read_boundaries);
}

}  // namespace
}  // namespace accrete::report::documents_test
