#include "accrete/config/row_weights.hpp"

#include <gtest/gtest.h>

namespace accrete::config::row_weights_test {
namespace {

TEST(RowWeights, ReadWeightsOfClasses) {
  EXPECT_EQ(parse_class_weights("none"), ClassWeights{});
  EXPECT_EQ(parse_class_weights("balanced"), ClassWeights{.balanced = true});
  EXPECT_EQ(parse_class_weights("spam:5,ham:1"), (ClassWeights{.named = {{"spam", 5.0}, {"ham", 1.0}}}));
  EXPECT_EQ(parse_class_weights("\"a,b\":0.5,\"say \"\"x\"\":\":2,c=d:3"),
            (ClassWeights{.named = {{"a,b", 0.5}, {"say \"x\":", 2.0}, {"c=d", 3.0}}}));
  EXPECT_EQ(parse_class_weights("balanced:2"), (ClassWeights{.named = {{"balanced", 2.0}}}));
  EXPECT_EQ(parse_class_weights("spam:-1"), (ClassWeights{.named = {{"spam", -1.0}}})) << "a fit refuses it";
}

TEST(RowWeights, ReadWeightsOfGroups) {
  EXPECT_EQ(parse_group_weights("none"), GroupWeights{});
  EXPECT_EQ(parse_group_weights("\"none\""), GroupWeights{.column = "none"}) << "a quoted word is a name";
  EXPECT_EQ(parse_group_weights("region"), GroupWeights{.column = "region"});
  EXPECT_EQ(parse_group_weights("region:north=2,\"a=b\"=0.5"),
            (GroupWeights{.column = "region", .named = {{"north", 2.0}, {"a=b", 0.5}}}));
}

TEST(RowWeights, AreReadBackAsTheyWereWritten) {
  ClassWeights classes;
  GroupWeights groups{.column = "a:b=\"c\""};
  for (const char* name : {"x", "", " ", "none", "balanced", "a,b", "a;b", "a:b", "a=b", "\"", "\"\"", "\n"}) {
    classes.named.push_back({name, 1.0 / 3.0});
    groups.named.push_back({name, 1e-9});
    if (*name == 0) continue;  // a column without a name is no column
    EXPECT_EQ(parse_group_weights(text_of(GroupWeights{.column = name})), GroupWeights{.column = name});
  }
  EXPECT_EQ(parse_class_weights(text_of(classes)), classes);
  EXPECT_EQ(parse_group_weights(text_of(groups)), groups);
  for (const ClassWeights& weights : {ClassWeights{}, ClassWeights{.balanced = true}})
    EXPECT_EQ(parse_class_weights(text_of(weights)), weights);
}

}  // namespace
}  // namespace accrete::config::row_weights_test
