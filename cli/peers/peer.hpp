#pragma once
// Learners of other libraries as methods to compare with: gradient-boosted trees and random forests, each with the
// defaults of its library, fitted by a Python process.

#include <map>
#include <span>
#include <string>

#include "accrete/tune/method.hpp"

namespace accrete::cli {

struct PeerSetup {
  const char* name;     ///< as given on the command line
  const char* package;  ///< the Python package it needs
  const char* summary;
};

std::span<const PeerSetup> peers();

/// Versions of the installed packages by name; empty without Python.
std::map<std::string, std::string> installed_packages();

class Peer : public tune::Method {
 public:
  Peer(const PeerSetup& setup, std::string version, std::string weight_column)
      : setup_(setup), version_(std::move(version)), weight_column_(std::move(weight_column)) {}

  std::string name() const override { return setup_.name; }
  /// Always throws UsageError: peers run with their defaults.
  std::string canonical(const tune::Setting& setting) const override;
  std::string text(const tune::Settings& settings, std::size_t units) const override;
  /// Throws core::Error with the last line of the process's output if it fails.
  std::optional<tune::FitRecord> fit(const tune::FitTask& task, const std::function<bool()>& stop) const override;

 private:
  const PeerSetup& setup_;
  std::string version_, weight_column_;
};

}  // namespace accrete::cli
