#include "report/model/classes.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace accrete::report::classes_test {
namespace {

/// Labels as given, each row predicted as the class in `predicted` with probability p.
struct Made {
  Made(std::size_t classes, const std::vector<std::size_t>& labels, const std::vector<std::size_t>& predicted,
       double p = 0.9)
      : targets(labels.size(), 1), predictions(labels.size(), classes) {
    for (std::size_t k = 0; k < classes; ++k) model.classes.push_back("class " + std::to_string(k));
    for (std::size_t r = 0; r < labels.size(); ++r) {
      targets(r, 0) = static_cast<double>(labels[r]);
      for (std::size_t k = 0; k < classes; ++k)
        predictions(r, k) = k == predicted[r] ? p : (1.0 - p) / static_cast<double>(classes - 1);
    }
  }
  LabelledRows data() const { return {model, table, targets, {}}; }

  model::Model model;
  data::Table table;
  core::Matrix<double> targets, predictions;
};

TEST(Confusion, CountsRowsByTrueAndPredictedClass) {
  const Made made(3, {0, 0, 1, 2, 2, 2}, {0, 1, 1, 2, 0, 2});
  const auto shown = choose_confusion_classes(made.data());
  EXPECT_EQ(shown.names, made.model.classes);
  EXPECT_EQ(confusion({made.predictions, made.targets, {}}, shown),
            (std::vector<std::vector<double>>{{1, 1, 0}, {0, 1, 0}, {1, 0, 2}}));
  const std::vector<double> weights{1, 5, 0, 1, 1, 0.5};
  EXPECT_EQ(confusion({made.predictions, made.targets, weights}, shown),
            (std::vector<std::vector<double>>{{1, 5, 0}, {0, 0, 0}, {1, 0, 1.5}}));
}

TEST(Confusion, ShowsTheMostFrequentOfManyClasses) {
  std::vector<std::size_t> labels;  // class k has k + 1 rows
  for (std::size_t k = 0; k < 50; ++k) labels.insert(labels.end(), k + 1, k);
  const Made made(50, labels, labels);
  const auto shown = choose_confusion_classes(made.data());
  ASSERT_EQ(shown.names.size(), ConfusionClasses::max_size);
  EXPECT_EQ(shown.names.front(), "class 31");
  EXPECT_EQ(shown.names[18], "class 49");
  EXPECT_EQ(shown.names.back(), "31 others");
  const auto counts = confusion({made.predictions, made.targets, {}}, shown);
  EXPECT_EQ(counts[0][0], 32.0);
  EXPECT_EQ(counts[19][19], 31.0 * 32.0 / 2.0) << "the class 31 others has the rows of all classes that are not shown";
}

TEST(Calibration, UsesTheSecondOfTwoClasses) {
  // p(class 1) is 0.9 where 1 is predicted, else 0.1, just above the edge of a bin.
  const Made made(2, {1, 1, 0, 0, 1}, {1, 1, 1, 0, 0});
  const auto bins = calibration({made.predictions, made.targets, {}});
  ASSERT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins[9].rows, 3.0);
  EXPECT_NEAR(bins[9].predicted, 0.9, 1e-12);
  EXPECT_NEAR(bins[9].observed, 2.0 / 3.0, 1e-12);
  double rows = 0.0;
  for (const auto& bin : bins) rows += bin.rows;
  EXPECT_EQ(rows, 5.0);
}

TEST(Calibration, UsesThePredictedOfSeveralClasses) {
  const Made made(4, {3, 2, 1, 0}, {3, 2, 0, 1}, 1.0);
  const auto bins = calibration({made.predictions, made.targets, {}});
  EXPECT_EQ(bins[9].rows, 4.0) << "certainty belongs to the last bin";
  EXPECT_EQ(bins[9].observed, 0.5);
}

}  // namespace
}  // namespace accrete::report::classes_test
