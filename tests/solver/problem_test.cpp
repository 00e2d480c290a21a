#include "accrete/solver/problem.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace accrete::solver::problem_test {
namespace {

TEST(ReasonText, IsPlainEnglishAndDiffersForEveryReason) {
  std::set<std::string> texts;
  for (const Reason reason :
       {Reason::running, Reason::converged, Reason::iterations, Reason::flat, Reason::no_progress}) {
    const std::string text = reason_text(reason);
    EXPECT_EQ(text.find('_'), std::string::npos) << text;
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 5u);
  EXPECT_EQ(texts.count(""), 0u);
  EXPECT_EQ(reason_text(Reason::flat), std::string("the gradient vanished"));
}

}  // namespace
}  // namespace accrete::solver::problem_test
