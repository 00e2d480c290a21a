#include "accrete/comm/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::comm::threads_test {
namespace {

TEST(Threads, GatherGivesAllRanksThePartsInTheirOrder) {
  run_ranks(3, [](Communicator& comm) {
    const std::vector<int> own(comm.rank(), static_cast<int>(comm.rank()));  // 0, 1, 2 values
    const auto all = gather_values<int>(comm, own);
    EXPECT_EQ(all.values, (std::vector<int>{1, 2, 2}));
    EXPECT_EQ(all.starts, (std::vector<std::size_t>{0, 0, 1, 3}));
  });
}

TEST(Threads, GatherKeepsEmptyTexts) {
  run_ranks(2, [](Communicator& comm) {
    const std::vector<std::string> own =
        comm.rank() == 0 ? std::vector<std::string>{"", "a\nb"} : std::vector<std::string>{};
    const auto all = gather_texts(comm, own);
    EXPECT_EQ(all[0], (std::vector<std::string>{"", "a\nb"}));
    EXPECT_TRUE(all[1].empty());
  });
}

TEST(Threads, BroadcastGivesTheValueOfRankZero) {
  run_ranks(4, [](Communicator& comm) {
    EXPECT_EQ(broadcast_value(comm, 10 + static_cast<int>(comm.rank())), 10);
    EXPECT_EQ(broadcast_text(comm, comm.rank() == 0 ? "first" : "another text"), "first");
  });
}

TEST(Threads, CountTheirTraffic) {
  run_ranks(2, [](Communicator& comm) {
    gather_value<double>(comm, 1.0);
    EXPECT_EQ(comm.traffic().messages, 1);
    EXPECT_EQ(comm.traffic().bytes, sizeof(double));
  });
}

TEST(Threads, AFailedRankEndsTheOthers) {
  std::atomic<int> ended = 0;
  const auto work = [&](Communicator& comm) {
    if (comm.rank() == 1) throw core::DataError("broken");
    try {
      gather_value(comm, 1);
    } catch (const core::Error&) {
      ++ended;
      throw;
    }
  };
  EXPECT_THROW(run_ranks(3, work), core::DataError);
  EXPECT_EQ(ended, 2);
}

TEST(Agree, AllRanksThrowTheErrorOfTheLowestThatFailed) {
  run_ranks(3, [](Communicator& comm) {
    try {
      agree(comm, [&] {
        if (comm.rank() > 0)
          throw core::UsageError(core::ParameterReference{"units", "0"},
                                 "must be at least " + std::to_string(comm.rank()));
      });
      ADD_FAILURE() << "rank " << comm.rank() << " goes on";
    } catch (const core::UsageError& error) {
      EXPECT_STREQ(error.what(), "rank 1: units 0: must be at least 1");
      const auto spell = [](const core::ParameterReference& given) { return "--" + given.name + " " + *given.value; };
      EXPECT_EQ(error.message().render(spell), "rank 1: --units 0: must be at least 1");
    }
  });
}

TEST(Agree, RowsAreCountedOverAllRanks) {
  run_ranks(3, [](Communicator& comm) {
    const std::string said = thrown_message<core::DataError>([&] {
      agree(
          comm,
          [&] {
            if (comm.rank() > 0) throw core::DataError(core::message("no number in {}", core::row(4)));
          },
          [&] { return 10 + comm.rank(); });
    });
    EXPECT_EQ(said, core::message("rank 1: no number in {}", core::row(14)).text());
  });
}

TEST(Agree, AnErrorOfAllRanksNamesNone) {
  run_ranks(2, [](Communicator& comm) {
    const auto act = [&] { agree(comm, [] { throw core::FileError("no such file"); }); };
    EXPECT_EQ(thrown_message<core::FileError>(act), "no such file");
  });
}

TEST(Agree, TheSameProgramIsAccepted) {
  run_ranks(2, [](Communicator& comm) { EXPECT_NO_THROW(require_same_program(comm)); });
}

}  // namespace
}  // namespace accrete::comm::threads_test
