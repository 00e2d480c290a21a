#include "accrete/tune/stable_hash.hpp"

#include <gtest/gtest.h>

namespace accrete::tune::stable_hash_test {
namespace {

/// Stores on disk hold keys and seeds made of these: another value is another format.
TEST(StableHash, StaysWhatItIs) {
  EXPECT_EQ(StableHash().value(), 0xC3817C016BA4FF30u);
  EXPECT_EQ(StableHash().add(std::uint64_t{1}).value(), 0xC2BE3627C2BFE353u);
  EXPECT_EQ(StableHash().add("accrete").add(std::uint64_t{7}).value(), 0xD306F41978B4613Au);
}

TEST(StableHash, TellsWhereATextEnds) {
  EXPECT_NE(StableHash().add("ab").add("c").value(), StableHash().add("a").add("bc").value());
  EXPECT_NE(StableHash().add("").value(), StableHash().value());
}

}  // namespace
}  // namespace accrete::tune::stable_hash_test
