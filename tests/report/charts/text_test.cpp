#include "report/charts/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace accrete::report::text_test {
namespace {

TEST(ReportText, EscapesHtml) {
  EXPECT_EQ(escape("a <b> & \"c\" 'd' M\u00fcller \u4e2d"),
            "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; M\u00fcller \u4e2d");
}

TEST(ReportText, ShortensByCharacters) {
  EXPECT_EQ(shorten("\u4e2d\u4e2d\u4e2d", 3), "\u4e2d\u4e2d\u4e2d");
  EXPECT_EQ(shorten("\u4e2d\u4e2d\u4e2d\u4e2d", 3), "\u4e2d\u4e2d\u2026");
  EXPECT_EQ(shorten("", 3), "");
}

TEST(ReportText, FormatsNumbers) {
  EXPECT_EQ(show_metric("accuracy", 0.98765), "98.77 %");
  EXPECT_EQ(show_metric("rmse", 12.34567), "12.35");
  EXPECT_EQ(show_metric("auc", NAN), "\u2013");
  EXPECT_EQ(metric_title("log_loss"), "log loss");
  EXPECT_EQ(metric_title("rmse"), "RMSE");
  EXPECT_EQ(counted(1, "unit"), "1 unit");
  EXPECT_EQ(counted(2, "unit"), "2 units");
}

}  // namespace
}  // namespace accrete::report::text_test
