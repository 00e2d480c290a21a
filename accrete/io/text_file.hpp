#pragma once
// Whole files into memory, unpacked where they are gzipped.

#include <string>
#include <string_view>

namespace accrete::io {

/// The bytes of the file; "-" is standard input. What starts with gzip's magic bytes is unpacked, whatever
/// its name. Throws FileError: "cannot read 'x.csv': No such file or directory".
std::string read_text_file(const std::string& path);

/// Whether the bytes start as a gzip file does.
bool is_gzip(std::string_view bytes);

/// All members of a gzip file, one after the other. `name` is for messages.
/// Throws FileError when it is cut short, damaged, or followed by something else (zero padding is allowed).
std::string gunzip(std::string_view packed, const std::string& name);

}  // namespace accrete::io
