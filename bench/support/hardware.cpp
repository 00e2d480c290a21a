#include "bench/support/hardware.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "accrete/core/parallel.hpp"
#include "bench/support/ceilings.hpp"

namespace accrete::bench {
namespace {

/// The first line of a command's output, or empty.
std::string first_line(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return "";
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text.push_back(static_cast<char>(c));
  ::pclose(pipe);
  return text.substr(0, text.find('\n'));
}

std::string commit() {
  const std::string git = "git -C '" ACCRETE_SOURCE_DIR "' ";
  const std::string name = first_line(git + "rev-parse --short HEAD");
  if (name.empty()) return "unknown";
  return name + (first_line(git + "status --porcelain -uno").empty() ? "" : "+");
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  const std::string name = first_line("uname -m");
  return name.empty() ? "unknown processor" : name;
}

}  // namespace

std::string hardware() {
  return fmt::format("{}, {} threads, {}; commit {}", processor(), core::hardware_threads(), instruction_set(),
                     commit());
}

double peak_memory() {
  // VmHWM first: ru_maxrss may be inherited from the parent process.
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) return 1024.0 * std::stod(line.substr(6));
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return static_cast<double>(usage.ru_maxrss);
#else
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
#endif
}

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double all = 0.0, resident = 0.0;
  if (!(file >> all >> resident)) return 0.0;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace accrete::bench
