#include "accrete/experiment/boundary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "accrete/experiment/plane.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::boundary_test {
namespace {

using Json = nlohmann::json;

class BoundaryTest : public InventedTest {
 protected:
  std::map<std::string, Json> run(std::size_t threads = 2) {
    core::Workers workers(threads);
    auto boundary = options({}, {"gbnn", "adam"});
    boundary.folder.clear();
    counts_ = run_boundary(boundary, workers);
    std::map<std::string, Json> documents;
    for (const auto& result : boundary.store->results()) {
      EXPECT_EQ(result.key.experiment, "boundary");
      EXPECT_EQ(result.key.task, "ringnorm2d");
      documents[result.key.method] = Json::parse(result.document);
    }
    return documents;
  }

  RunCounts counts_;
};

TEST_F(BoundaryTest, FivePanelsOfEachMethod) {
  const auto documents = run();
  EXPECT_EQ(counts_.fits, 6u) << "one network that grows, five of their own";
  ASSERT_EQ(documents.size(), 2u);
  for (const auto& [method, document] : documents) {
    const double limit = document.at("limit");
    EXPECT_EQ(document.at("side"), 80);
    ASSERT_EQ(document.at("points").size(), 200u);
    for (const Json& point : document.at("points")) {
      ASSERT_EQ(point.size(), 3u);
      EXPECT_LE(std::abs(point[0].get<double>()), limit);
      EXPECT_TRUE(point[2] == 0 || point[2] == 1);
    }
    ASSERT_EQ(document.at("panels").size(), 5u);
    std::vector<int> units;
    for (const Json& panel : document.at("panels")) {
      units.push_back(panel.at("units"));
      ASSERT_EQ(panel.at("probability").size(), 6400u);
      for (const double p : panel.at("probability")) ASSERT_EQ(p, std::round(p * 100.0) / 100.0);
    }
    EXPECT_EQ(units, (std::vector<int>{1, 2, 3, 4, 100}));
    EXPECT_GT(document.at("panels").back().at("accuracy").get<double>(), 0.77) << method << "; the best rule has 0.815";
  }
}

/// The second cloud is inside the first: around its middle a cell is more probably of it than in the corners.
TEST_F(BoundaryTest, TheProbabilityIsOfTheSecondCloudAndTheTopRowIsFirst) {
  for (const auto& [method, document] : run()) {
    const double limit = document.at("limit");
    const Json& probability = document.at("panels").back().at("probability");
    const auto at = [&](double x1, double x2) {
      const auto column = static_cast<std::size_t>((x1 / limit + 1.0) * 40.0);
      const auto row = static_cast<std::size_t>((1.0 - x2 / limit) * 40.0);
      return probability[row * 80 + column].get<double>();
    };
    EXPECT_GT(at(1.4, 1.4), 0.6) << method;
    EXPECT_LT(at(-2.5, -2.5), 0.4) << method;
  }
}

TEST_F(BoundaryTest, AnyNumberOfThreads) {
  const auto first = run(1);
  EXPECT_EQ(run(3), first);
}

TEST_F(BoundaryTest, Stops) {
  core::Workers workers(1);
  auto boundary = options({}, {"gbnn", "adam"});
  std::size_t fits = 0;
  boundary.on_progress = [&](const RunProgress& at) { fits = at.fits; };
  boundary.stop = [&] { return fits >= 3; };
  const RunCounts counts = run_boundary(boundary, workers);
  EXPECT_TRUE(counts.stopped);
  EXPECT_EQ(counts.fits, 3u);
  EXPECT_EQ(boundary.store->results().size(), 1u) << "only the first method was finished";
}

}  // namespace
}  // namespace accrete::experiment::boundary_test
