#pragma once
// A file that appears whole or not at all.
//
// Life: opened beside its target under a temporary name -> written -> commit() makes it durable and renames
// it over the target. Destroyed before commit, it leaves the target as it was and nothing behind.
//
// A target that exists and is no regular file (/dev/null, /dev/stdout, a pipe) is written straight to.

#include <string>
#include <string_view>

namespace accrete::io {

class AtomicFile {
 public:
  /// Opens at once, so that a place that cannot be written to is known before the work is done. A symbolic
  /// link is followed; a file that exists keeps its permissions, and one that is read-only is refused. Throws
  /// FileError: "cannot write 'x': Permission denied". So do write and commit.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// Once; nothing may be written after it.
  void commit();

 private:
  void open_beside(unsigned mode, bool exists);
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;       ///< as given, for messages
  std::string target_;     ///< path_ with links followed
  std::string temporary_;  ///< empty: written straight to
  std::string pending_;
  int fd_ = -1;
};

}  // namespace accrete::io
