#include "accrete/core/base64.hpp"

#include <gtest/gtest.h>

namespace accrete::core::base64_test {
namespace {

TEST(Base64, MatchesTheExamplesOfRfc4648) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace accrete::core::base64_test
