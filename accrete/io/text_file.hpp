#pragma once
// Reads files into memory and decompresses gzip.

#include <string>
#include <string_view>

namespace accrete::io {

/// The contents of the file; "-" is standard input. A file that starts with gzip's magic bytes is decompressed
/// regardless of its name. Throws FileError: "cannot read 'x.csv': No such file or directory".
std::string read_text_file(const std::string& path);

/// True if the bytes start with gzip's magic bytes.
bool is_gzip(std::string_view bytes);

/// Decompresses all members of a gzip file. `name` is for messages. Throws FileError if the data is truncated, damaged,
/// or followed by anything except zero padding.
std::string gunzip(std::string_view compressed, const std::string& name);

}  // namespace accrete::io
