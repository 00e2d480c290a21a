#pragma once
// The hardware and commit a measurement belongs to, and the memory of this process.

#include <string>

namespace accrete::bench {

/// "Neoverse-V2, 64 threads, SVE2; commit 1a2b3c4"; a + after the commit means uncommitted changes.
std::string hardware();

/// Maximum resident set of this process so far, in bytes.
double peak_memory();

/// Current resident set in bytes; 0 if unknown.
double resident_memory();

}  // namespace accrete::bench
