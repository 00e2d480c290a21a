#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::times_test {
namespace {

TEST(ExperimentTimes, DrawsTwoFiguresPerTask) {
  Document document{"t"};
  add_times(document, read_experiments(invented_everything()).front());
  const auto figures = figures_of(document);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].id, "times-quick-power-early");
  EXPECT_EQ(figures[1].id, "times-quick-power-full");
  EXPECT_EQ(std::get<Plot>(figures[0].chart).series.size(), 2u);
}

TEST(ExperimentTimes, ShowsThePapersSecondsBelowOurs) {
  Document document{"t"};
  add_times(document,
            read_experiments({invented_training_time("iris", "gbnn", 0.25), invented_training_time("iris", "adam", 0.5),
                              invented_training_time("waveform-300", "gbnn", 0.1)})
                .front());
  const RichTable table = table_with_id(document, "seconds-quick");
  EXPECT_EQ(table.header.size(), 6u) << "the paper has no times of AdaBoost";
  const auto iris = row_of(table, "Iris");
  ASSERT_EQ(iris.size(), 6u);
  EXPECT_EQ(iris[1].text, "0.250 (0.001)");
  EXPECT_EQ(iris[1].note, "1.288");
  EXPECT_EQ(iris[1].tone, Tone::best);
  EXPECT_EQ(iris[2].text, "\u2013");
  EXPECT_EQ(iris[3].tone, Tone::plain);
  EXPECT_EQ(row_of(table, "Waveform-300")[1].note, "") << "the paper has none";
}

TEST(ExperimentTimes, KnowsThePapersSecondsOfAllTasksButOne) {
  for (const experiment::PaperTask& task : experiment::tasks()) {
    const auto* seconds = experiment::published_seconds(task);
    EXPECT_EQ(seconds == nullptr, task.name == "waveform-300") << task.name;
    for (std::size_t m = 0; seconds && m < seconds->size(); ++m) EXPECT_GT((*seconds)[m], 0.0) << task.name;
  }
}

}  // namespace
}  // namespace accrete::report::times_test
