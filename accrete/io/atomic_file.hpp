#pragma once
// Writes a file atomically: readers see the old file or the complete new one.
//
// Bytes go to a temporary file in the target's folder; commit() syncs it and renames it over the target. Destroyed
// before commit, it deletes the temporary file and leaves the target unchanged.
//
// A target that exists and is not a regular file (/dev/null, /dev/stdout, a pipe) is written directly.

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::io {

class AtomicFile {
 public:
  /// Opens the temporary file, so that an unwritable target fails before any work is done. Follows symbolic links; an
  /// existing file keeps its permissions, and a read-only file is rejected. Throws FileError, as do write and commit:
  /// "cannot write 'x': Permission denied".
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// Must be called once, after all writes.
  void commit();

 private:
  void open_temporary(unsigned mode, bool exists);
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;       ///< as given, for messages
  std::string target_;     ///< path_ with links resolved
  std::string temporary_;  ///< empty: the target is written directly
  std::string pending_;
  int fd_ = -1;
  std::size_t place_ = 0;  ///< in the list of remove_temporary_files
};

/// Deletes the temporary files of this process, whose AtomicFiles must not be used afterwards. Async-signal-safe: a
/// signal handler calls it before it ends the process.
void remove_temporary_files();

}  // namespace accrete::io
