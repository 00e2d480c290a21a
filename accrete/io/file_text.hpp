#pragma once
// The text of a file that is read in parts. A large file can be mapped, so it need not fit in memory.

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::io {

/// Makes later FileTexts map plain files of 32 MiB or more instead of reading them. If another process truncates a
/// mapped file, SIGBUS is raised, so call this only in a program that handles that signal, and before it starts
/// threads.
void map_large_files();

/// Plain files of at least this size are mapped: none before map_large_files().
std::size_t min_mapped_bytes();

class FileText {
 public:
  /// Maps a plain file of at least `min_bytes`; reads smaller ones, gzipped ones and standard input into memory. Throws
  /// as read_text_file does.
  explicit FileText(const std::string& path, std::size_t min_bytes = min_mapped_bytes());
  /// A text in memory.
  static FileText of(std::string text);
  ~FileText();
  FileText(FileText&& other) noexcept;
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  /// The complete text, followed by a '\0'. Another process may change a mapped file at any time, so callers must be
  /// safe even if two reads of a byte differ.
  std::string_view view() const { return mapped_ ? std::string_view(mapped_, size_) : std::string_view(text_); }

  /// Releases the memory of this part until it is read again. Has no effect unless the file is mapped.
  void release(std::string_view part) const;

 private:
  FileText() = default;
  bool map(const std::string& path, std::size_t min_bytes);

  std::string text_;
  char* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;  ///< the file plus at least one byte
};

}  // namespace accrete::io
