#include "accrete/core/suggest.hpp"

#include <gtest/gtest.h>

namespace accrete::core::suggest_test {
namespace {

constexpr const char* names = "logistic, tanh, relu, learning_rate, units";

TEST(Suggest, FindsANameWithALetterTooManyMissingWrongOrSwapped) {
  for (const char* typo : {"tahn", "tan", "tanhh", "tenh", "TANH"})
    EXPECT_EQ(closest_name(typo, names), "tanh") << typo;
  EXPECT_EQ(closest_name("learnign_rat", names), "learning_rate");
}

TEST(Suggest, SuggestsNothingForAnotherWord) {
  for (const char* word : {"softplus", "", "x", "zz", "alpha"}) EXPECT_EQ(closest_name(word, names), "") << word;
  EXPECT_EQ(closest_name("tanh", ""), "");
  EXPECT_EQ(closest_name(std::string(100'000, 'a'), names), "");
}

TEST(Suggest, PrefersTheNameWithFewestEdits) {
  EXPECT_EQ(closest_name("unit", "unite, units, unit_s, unit"), "unit");
}

TEST(Suggest, FindsANameAmongTheWordsOfAnother) {
  EXPECT_EQ(closest_name("roc_auc", "accuracy, auc, f1"), "auc");
  EXPECT_EQ(closest_name("f1_score", "accuracy, auc, f1"), "f1");
  EXPECT_EQ(closest_name("rocauc", "accuracy, auc, f1"), "");
  EXPECT_EQ(closest_name("_", "a, , b"), "");
}

TEST(Suggest, WritesAQuestion) {
  EXPECT_EQ(did_you_mean("rellu", names), "; did you mean 'relu'?");
  EXPECT_EQ(did_you_mean("softplus", names), "");
}

}  // namespace
}  // namespace accrete::core::suggest_test
