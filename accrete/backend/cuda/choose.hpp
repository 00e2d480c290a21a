#pragma once
// A device by its name, as users give it.

#include <memory>
#include <string>

#include "accrete/backend/many_fits.hpp"

namespace accrete::cuda {

struct Choice {
  std::unique_ptr<backend::ManyFits> machine;  ///< null: the CPU
  std::string note;                            ///< what was taken and why; empty for "cpu", where nothing was chosen
};

/// cpu, cuda or auto, which takes a GPU where there is one. Throws UsageError for another word, core::Error of one line
/// when cuda is asked for and is not there.
Choice choose(const std::string& device);

}  // namespace accrete::cuda
