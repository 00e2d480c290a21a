#include <gtest/gtest.h>

#include "report/gnuplot/gnuplot.hpp"

namespace accrete::report::gnuplot_ranks_test {
namespace {

Ranks ranks() {
  return {"ranks", {"GBNN", "Deep-NN", "NN-SGD"}, {1.25, 2.0, 2.75}, 0.9};
}

TEST(GnuplotRanks, ShowsNamesRanksAndTheCriticalDistance) {
  const std::string script = gnuplot_script(ranks(), Format::svg);
  for (const char* words : {"'GBNN  1.25'", "'Deep-NN  2.00'", "'2.75  NN-SGD'", "'critical distance 0.90'", "'ranks'"})
    EXPECT_NE(script.find(words), std::string::npos) << words << "\n" << script;
}

TEST(GnuplotRanks, JoinsMethodsThatDoNotDiffer) {
  const auto bars = [](const std::string& script) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = script.find("lw 5", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(bars(gnuplot_script(ranks(), Format::svg)), 2u);
  Ranks apart = ranks();
  apart.critical = 0.5;
  EXPECT_EQ(bars(gnuplot_script(apart, Format::svg)), 0u);
}

TEST(GnuplotRanks, DrawsEveryFormat) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  const std::string svg = gnuplot->draw(ranks(), Format::svg);
  EXPECT_NE(svg.find("GBNN"), std::string::npos);
  EXPECT_LT(svg.size(), 50'000u);
  EXPECT_EQ(gnuplot->draw(ranks(), Format::png).substr(1, 3), "PNG");
  EXPECT_EQ(gnuplot->draw(ranks(), Format::png), gnuplot->draw(ranks(), Format::png)) << "the same bytes again";
}

TEST(GnuplotRanks, DrawsOneMethodAndEqualRanks) {
  const auto gnuplot = Gnuplot::find();
  if (!gnuplot) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_NE(gnuplot->draw(Ranks{"one", {"a"}, {1.0}, 0.0}, Format::svg).find("</svg>"), std::string::npos);
  EXPECT_NE(gnuplot->draw(Ranks{"two", {"a", "b"}, {1.5, 1.5}, 0.4}, Format::svg).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace accrete::report::gnuplot_ranks_test
