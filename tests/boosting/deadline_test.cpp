#include "accrete/boosting/deadline.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "accrete/comm/threads.hpp"

namespace accrete::boosting::deadline_test {
namespace {

constexpr double never = 1e9, at_once = 1e-9;

TEST(Deadline, NeverPassesWithoutALimit) {
  const Deadline none(0.0);
  EXPECT_FALSE(none.has_passed());
  EXPECT_FALSE(none.has_passed(0.0));
}

TEST(Deadline, PassesAfterTheShareOfItsTime) {
  const Deadline late(never), early(at_once);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(late.has_passed());
  EXPECT_FALSE(late.has_passed(0.5));
  EXPECT_TRUE(late.has_passed(1e-12));
  EXPECT_TRUE(early.has_passed());
  EXPECT_FALSE(early.has_passed(1e18));
}

TEST(Deadline, PassesOnAllRanksByTheClockOfTheFirst) {
  for (const bool first_passes : {false, true})
    comm::run_ranks(3, [&](comm::Communicator& comm) {
      const Deadline deadline((comm.rank() == 0) == first_passes ? at_once : never, comm);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(deadline.has_passed(), first_passes) << comm.rank();
    });
}

}  // namespace
}  // namespace accrete::boosting::deadline_test
