#pragma once
// The text of a file that is read in pieces, each for a short while: a large one need not be in memory as a whole.

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::io {

class FileText {
 public:
  /// From this size on a plain file is seen through a mapping; a smaller one, a gzipped one and standard input are
  /// read whole.
  static constexpr std::size_t mapped_from = std::size_t{32} << 20;

  /// Throws as read_text_file does.
  explicit FileText(const std::string& path, std::size_t map_from = mapped_from);
  /// A text that is in memory already.
  static FileText of(std::string text);
  ~FileText();
  FileText(FileText&& other) noexcept;
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  /// The whole of it, followed by a '\0'. Someone else may write to a mapped file meanwhile: read it as if every look
  /// could give another answer.
  std::string_view view() const { return mapped_ ? std::string_view(mapped_, size_) : std::string_view(text_); }

  /// The part is not needed for now: it takes no memory until it is read again. Nothing for a text read whole.
  void put_away(std::string_view part) const;

 private:
  FileText() = default;
  bool map(const std::string& path, std::size_t map_from);

  std::string text_;
  char* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;  ///< of the mapping: the file, and at least one byte more
};

}  // namespace accrete::io
