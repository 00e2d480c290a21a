#include "accrete/io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::io::atomic_file_test {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "accrete-atomic-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static mode_t mode(const std::string& path) {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
  }
  static std::string refusal(const std::string& path) {
    return thrown_message<core::FileError>([&] {
      AtomicFile file(path);
      file.write(std::string(1 << 20, 'x'));
      file.commit();
    });
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnCommitAndNotBefore) {
  const std::string big(200'000, 'b');
  {
    AtomicFile file(path("x"));
    file.write("a");
    file.write(big);
    file.write("c");
    EXPECT_FALSE(fs::exists(path("x")));
    EXPECT_EQ(files(), 1u);
    EXPECT_TRUE(fs::exists(path(".x.tmp-" + std::to_string(::getpid()))));
    file.commit();
  }
  EXPECT_EQ(content(path("x")), "a" + big + "c");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, LeavesTheTargetUnchangedUnlessCommitted) {
  put(path("x"), "old");
  {
    AtomicFile file(path("x"));
    file.write(std::string(1 << 20, 'n'));
    EXPECT_EQ(content(path("x")), "old");
  }
  EXPECT_EQ(content(path("x")), "old");
  EXPECT_EQ(files(), 1u);
  AtomicFile file(path("x"));
  file.write("new");
  file.commit();
  EXPECT_EQ(content(path("x")), "new");
}

TEST_F(AtomicFileTest, KeepsTwoWritersApart) {
  AtomicFile a(path("x"));
  AtomicFile b(path("x"));
  a.write("a");
  b.write("b");
  b.commit();
  EXPECT_EQ(content(path("x")), "b");
  a.commit();
  EXPECT_EQ(content(path("x")), "a");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, TakesPermissionsFromTheUmaskOrTheReplacedFile) {
  const mode_t old = ::umask(027);
  AtomicFile fresh(path("fresh"));
  ::umask(old);
  fresh.commit();
  EXPECT_EQ(mode(path("fresh")), 0640u);

  put(path("kept"), "");
  ::chmod(path("kept").c_str(), 0604);
  AtomicFile kept(path("kept"));
  kept.commit();
  EXPECT_EQ(mode(path("kept")), 0604u);
}

TEST_F(AtomicFileTest, FollowsALinkInsteadOfReplacingIt) {
  put(path("real"), "old");
  fs::create_symlink(path("real"), path("link"));
  AtomicFile file(path("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("real")), "new");
}

TEST_F(AtomicFileTest, AcceptsLongNames) {
  const std::string name(250, 'n');
  AtomicFile file(path(name));
  file.write("x");
  file.commit();
  EXPECT_EQ(content(path(name)), "x");
}

TEST_F(AtomicFileTest, ReportsUnwritableTargets) {
  EXPECT_EQ(refusal(path("no/x")), "cannot write '" + path("no/x") + "': No such file or directory");
  EXPECT_EQ(refusal(folder_.string()), "cannot write '" + folder_.string() + "': Is a directory");
  put(path("file"), "");
  EXPECT_EQ(refusal(path("file/x")), "cannot write '" + path("file/x") + "': Not a directory");
  EXPECT_EQ(refusal(""), "cannot write '': No such file or directory");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, RejectsAReadOnlyFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can write any file";
  put(path("x"), "old");
  ::chmod(path("x").c_str(), 0444);
  EXPECT_EQ(refusal(path("x")), "cannot write '" + path("x") + "': Permission denied");
}

TEST_F(AtomicFileTest, LeavesNoFileAfterAFailedWrite) {
  put(path("x"), "old");
  // A file size limit simulates a full disk; with the signal ignored, write() fails.
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 100'000, before.rlim_max };
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = refusal(path("x"));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write '" + path("x") + "': File too large");
  EXPECT_EQ(content(path("x")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, WritesDirectlyToDevicesAndPipes) {
  EXPECT_EQ(refusal("/dev/full"), "cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  AtomicFile null("/dev/null");
  null.write("gone");
  null.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content(path("pipe")); });
  AtomicFile pipe(path("pipe"));
  pipe.write("through");
  pipe.commit();
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(AtomicFileTest, WritesToANamedDescriptorAtItsPosition) {
  std::FILE* out = std::fopen(path("out").c_str(), "w");
  ASSERT_NE(out, nullptr);
  std::fputs("before ", out);
  std::fflush(out);
  AtomicFile file("/dev/fd/" + std::to_string(::fileno(out)));
  file.write("inside ");
  file.commit();
  std::fputs("after", out);
  std::fclose(out);
  EXPECT_EQ(content(path("out")), "before inside after");
}

TEST_F(AtomicFileTest, DeletesTheTemporaryFilesOfAProcessThatEnds) {
  put(path("old"), "old");
  AtomicFile one(path("one")), old(path("old"));
  AtomicFile(path("done")).commit();
  EXPECT_EQ(files(), 4u);
  remove_temporary_files();
  EXPECT_EQ(files(), 2u);
  EXPECT_EQ(content(path("old")), "old");
  EXPECT_TRUE(fs::exists(path("done")));
}

}  // namespace
}  // namespace accrete::io::atomic_file_test
