#include "report/model/model_report.hpp"

#include <gtest/gtest.h>

#include "accrete/metric/list.hpp"
#include "tests/report/model/fitted.hpp"

namespace accrete::report::model_report_test {
namespace {

Page page_of(const LabelledRows& data) {
  core::Workers workers(1);
  return model_page(data,
                    {.title = "a model",
                     .facts = {{"task", "any"}},
                     .measures = measure(data, 0, {}, workers),
                     .importances = importances(data, {}, workers),
                     .contributions = column_contributions(data, 0, workers)},
                    std::nullopt);
}

Json embedded(const Page& page, const std::string& id) {
  const std::string html = page.html(), begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t at = html.find(begin) + begin.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

std::vector<std::string> ids(const Page& page) {
  std::vector<std::string> names;
  for (const Figure& figure : page.figures()) names.push_back(figure.id);
  return names;
}

TEST(ModelReport, EmbedsTheMetrics) {
  for (const char* kind : {"binary", "three", "number"}) {
    SCOPED_TRACE(kind);
    const Fitted fitted(kind);
    core::Workers workers(1);
    const Json json = embedded(page_of(fitted.data), "model");
    ASSERT_EQ(json["prefixes"].size(), 10u);
    for (const std::size_t i : {0u, 4u, 9u}) {
      const Json& prefix = json["prefixes"][i];
      const auto predictions = model::predict(fitted.model, fitted.table, prefix["steps"], workers);
      for (std::size_t k = 0; k < json["metrics"].size(); ++k)
        EXPECT_NEAR(prefix["metrics"][k].get<double>(),
                    metric::Metric::named(json["metrics"][k].get<std::string>()).value(fitted.data.with(predictions)),
                    1e-6)
            << json["metrics"][k];
    }
  }
}

TEST(ModelReport, ChoosesFiguresByTask) {
  const Fitted classes("three"), number("number");
  EXPECT_EQ(ids(page_of(classes.data)),
            (std::vector<std::string>{"curve", "loss", "confusion", "calibration", "steps", "importance",
                                      "contributions", "waterfall", "swarm"}));
  EXPECT_EQ(ids(page_of(number.data)), (std::vector<std::string>{"curve", "loss", "predicted-0", "steps", "importance",
                                                                 "contributions", "waterfall", "swarm"}));
}

TEST(ModelReport, HasATablePerFigure) {
  const Fitted fitted("binary");
  const Page page = page_of(fitted.data);
  for (const Figure& figure : page.figures()) {
    EXPECT_FALSE(figure.table.rows.empty()) << figure.id;
    for (const auto& row : figure.table.rows) EXPECT_EQ(row.size(), figure.table.header.size()) << figure.id;
  }
}

TEST(ModelReport, HandlesOneStepAndNoSteps) {
  for (const std::size_t steps : {0u, 1u})
    for (const char* kind : {"binary", "number"}) {
      Fitted fitted(kind);
      fitted.model.network.truncate(steps);
      const Page page = page_of(fitted.data);
      EXPECT_EQ(embedded(page, "model")["prefixes"].size(), 1u);
      EXPECT_EQ(embedded(page, "model")["prefixes"][0]["steps"], steps);
    }
}

TEST(ModelReport, ShowsRecordedCurves) {
  Fitted fitted("binary");
  fitted.model.provenance.validation_loss = fitted.model.provenance.train_loss;
  core::Workers workers(1);
  const Figure figure = loss_figure(fitted.model, measure(fitted.data, 0, {}, workers));
  const Plot& plot = std::get<Plot>(figure.chart);
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.series[1].y, fitted.model.provenance.train_loss);
  EXPECT_EQ(plot.series[1].x.back(), 20.0);
}

}  // namespace
}  // namespace accrete::report::model_report_test
