#pragma once
// Checks the files and folders that a command will write, before it starts to work.

#include <string>
#include <vector>

namespace accrete::cli {

/// Creates the directory and its parents, if missing. Throws FileError.
void make_directory(const std::string& path);

/// Fails early: throws FileError if the file cannot be written, UsageError if it is one of the inputs.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

}  // namespace accrete::cli
