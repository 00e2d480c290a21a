#include "accrete/config/constraints.hpp"

#include <gtest/gtest.h>

namespace accrete::config::constraints_test {
namespace {

TEST(Constraints, ReadDirectionsOfColumns) {
  EXPECT_EQ(parse_monotone("age:+,price:-"), (Monotone{{"age", true}, {"price", false}}));
  EXPECT_EQ(parse_monotone("\"a,b\":-,\"say \"\"x\"\":\":+"), (Monotone{{"a,b", false}, {"say \"x\":", true}}));
  EXPECT_EQ(parse_monotone("none"), Monotone{});
}

TEST(Constraints, ReadGroupsOfColumns) {
  EXPECT_EQ(parse_interactions("a,b;c"), (Interactions{.groups = {{"a", "b"}, {"c"}}}));
  EXPECT_EQ(parse_interactions("all"), Interactions{});
  EXPECT_EQ(parse_interactions("none"), Interactions{.additive = true});
  EXPECT_EQ(parse_interactions("\"none\""), (Interactions{.groups = {{"none"}}})) << "a quoted word is a name";
}

TEST(Constraints, AreReadBackAsTheyWereWritten) {
  const std::vector<std::string> odd{"x", "", " ", "all", "none", "a,b", "a;b", "a:b", "\"", "\"\"", "a\"b", "\n"};
  Monotone monotone;
  Interactions interactions{.groups = {odd}};
  for (const std::string& name : odd) {
    monotone.push_back({name, monotone.size() % 2 == 0});
    interactions.groups.push_back({name});
    EXPECT_EQ(parse_interactions(text_of(Interactions{.groups = {{name}}})), (Interactions{.groups = {{name}}}))
        << name;
    EXPECT_EQ(parse_monotone(text_of(Monotone{{name, true}})), (Monotone{{name, true}})) << name;
  }
  EXPECT_EQ(parse_monotone(text_of(monotone)), monotone);
  EXPECT_EQ(parse_interactions(text_of(interactions)), interactions);
}

}  // namespace
}  // namespace accrete::config::constraints_test
